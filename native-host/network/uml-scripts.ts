/**
 * First and only program of the router's guest: loads IPv6 and the queueing disciplines, then runs the commands it reads,
 * each on a line of its own behind a number, and answers with that number and the exit status. Words are split at
 * spaces and nothing in them is interpreted. At the end of its input it powers off, by reboot(2). Its cards are silent, without IPv6, until they are told otherwise.
 *
 * Its /proc is mounted by the system call itself: to an ordinary user's namespace mount(8) belongs to nobody, and
 * being set-user-id would run as nobody. Without a /proc of its own the guest would write to the host's.
 */
export const guestInit = `#!/bin/sh
perl -e '($type, $place) = ("proc", "/proc"); syscall(165, $type, $place, $type, 0, 0) == 0 or die "mount: $!"' || exit
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
modules=/usr/lib/uml/modules/$(uname -r)/kernel
for name in lib/crc-ccitt net/ipv6/ipv6 net/sched/sch_netem net/sched/sch_htb; do insmod "$modules/$name.ko"; done
echo 1 > /proc/sys/net/ipv4/ip_forward
echo 1 > /proc/sys/net/ipv6/conf/all/forwarding
echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad
echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6
set -f
echo towline-ready
while read -r number command; do
  "\${command%% *}" \${command#* } 2>&1
  echo "towline-done $number $?"
done
perl -e 'syscall(169, 0xfee1dead, 0x28121969, 0x4321fedc, 0)'
`;

/**
 * Starts the guest kernel under a filter that hides one thing from it: ptrace's PTRACE_GETREGSET and
 * PTRACE_SETREGSET fail. Linux 6.1 as a guest reserves 832 bytes for the extended registers that way, and dies at
 * its first process on a processor whose set is larger (AVX-512, AMX), since the host wants it whole (EFAULT in
 * xstateregs_set). Without the two it uses PTRACE_GETFPREGS, which has one size everywhere.
 * A system-call filter (seccomp(2)) needs no rights after PR_SET_NO_NEW_PRIVS; perl-base is on every Debian.
 */
export const guestLauncher = `
use strict;
my ($load, $equal, $return) = (0x20, 0x15, 0x06);  # BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_JEQ|BPF_K, BPF_RET|BPF_K
my @filter = (
  [$load, 0, 0, 4], [$equal, 0, 6, 0xc000003e],    # AUDIT_ARCH_X86_64, or pass
  [$load, 0, 0, 0], [$equal, 0, 4, 101],           # ptrace, or pass
  [$load, 0, 0, 16],                               # its request
  [$equal, 1, 0, 0x4204], [$equal, 0, 1, 0x4205],  # PTRACE_GETREGSET, PTRACE_SETREGSET
  [$return, 0, 0, 0x00050005],                     # SECCOMP_RET_ERRNO, EIO
  [$return, 0, 0, 0x7fff0000],                     # SECCOMP_RET_ALLOW
);
my $code = join '', map { pack 'SCCL', @$_ } @filter;
my $program = pack 'S x6 P', scalar @filter, $code;
syscall(157, 38, 1, 0, 0, 0) == 0 or die "PR_SET_NO_NEW_PRIVS: $!";
syscall(157, 22, 2, $program, 0, 0) == 0 or die "PR_SET_SECCOMP: $!";
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!";
`;
