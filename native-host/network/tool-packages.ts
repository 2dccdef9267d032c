/** The Debian package that holds each program this project starts. Source: `dpkg -S` on Debian 12. */
export const toolPackages: Readonly<Record<string, string>> = {
  apache2: 'apache2-bin',
  caddy: 'caddy',
  chrt: 'util-linux',
  ethtool: 'ethtool',
  ip: 'iproute2',
  'linux.uml': 'user-mode-linux',
  mount: 'mount',
  nft: 'nftables',
  nsenter: 'util-linux',
  openssl: 'openssl',
  pasta: 'passt',
  perl: 'perl-base',
  setpriv: 'util-linux',
  sysctl: 'procps',
  tc: 'iproute2',
  unshare: 'util-linux',
};
