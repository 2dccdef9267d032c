import { describe, expect, it } from 'vitest';
import { HostPort } from '../../../../extension/background/host-port.ts';
import { protocolVersion, type HostRequest } from '../../../../shared/messages/host-protocol.ts';
import { FakeNativePort } from './fake-native-port.ts';

type Answer = (request: HostRequest, port: FakeNativePort) => void;

function hello(request: HostRequest, port: FakeNativePort, version = protocolVersion): void {
  port.say({ type: 'hello', requestId: request.requestId, protocolVersion: version, hostVersion: '0.1.0' });
}

function setUp(answer: Answer) {
  const ports: FakeNativePort[] = [];
  let ids = 0;
  const host = new HostPort({
    openNativePort: () => {
      const port = new FakeNativePort(answer);
      ports.push(port);
      return port;
    },
    extensionVersion: '0.1.0',
    newId: () => `id-${ids++}`,
  });
  return { host, ports };
}

describe('HostPort', () => {
  it('greets once, however often it is opened', async () => {
    const { host, ports } = setUp(hello);
    await Promise.all([host.open(), host.open()]);
    expect(ports).toHaveLength(1);
    expect(ports[0]?.sent).toEqual([
      { type: 'hello', requestId: 'id-0', protocolVersion, extensionVersion: '0.1.0' },
    ]);
    expect(host.state).toEqual({ state: 'ready', hostVersion: '0.1.0' });
  });

  it('refuses a host of another protocol version and says which side to update', async () => {
    const { host, ports } = setUp((request, port) => {
      hello(request, port, protocolVersion - 1);
    });
    await expect(host.open()).rejects.toMatchObject({ code: 'version-mismatch', remedy: 'Update the host.' });
    expect(host.state).toMatchObject({ state: 'unavailable', error: { code: 'version-mismatch' } });
    expect(ports[0]?.closed).toBe(true);
  });

  it('says how to install a host that is not there, and tries anew when opened again', async () => {
    let installed = false;
    const { host } = setUp((request, port) => {
      if (installed) hello(request, port);
      else port.die('Specified native messaging host not found.');
    });
    await expect(host.open()).rejects.toMatchObject({
      code: 'host-not-installed',
      remedy: 'bin/towline install',
    });
    installed = true;
    await host.open();
    expect(host.state.state).toBe('ready');
  });

  it('gives each answer to its own question', async () => {
    const questions: HostRequest[] = [];
    const { host } = setUp((request, port) => {
      if (request.type === 'hello') hello(request, port);
      else if (questions.push(request) === 2) {
        // The second is answered first.
        for (const { requestId } of questions.toReversed()) port.say({ type: 'done', requestId });
      }
    });
    const answers = await Promise.all([
      host.ask({ type: 'cancel', runId: 'a' }),
      host.ask({ type: 'release', runId: 'b' }),
    ]);
    expect(answers).toEqual([
      { type: 'done', requestId: 'id-1' },
      { type: 'done', requestId: 'id-2' },
    ]);
  });

  it('puts a record together from its chunks', async () => {
    const { host } = setUp((request, port) => {
      if (request.type === 'hello') hello(request, port);
      else {
        ['{"a":', '"ä', '"}'].forEach((text, index) => {
          port.say({ type: 'record-chunk', requestId: request.requestId, runId: 'r', index, total: 3, text });
        });
      }
    });
    expect(await host.fetchRecord('r')).toBe('{"a":"ä"}');
  });

  it('refuses chunks out of order', async () => {
    const { host } = setUp((request, port) => {
      if (request.type === 'hello') hello(request, port);
      else {
        const { requestId } = request;
        port.say({ type: 'record-chunk', requestId, runId: 'r', index: 1, total: 2, text: '' });
      }
    });
    await expect(host.fetchRecord('r')).rejects.toMatchObject({ code: 'bad-message' });
  });

  it("passes on the host's own errors", async () => {
    const error = { code: 'host-busy', stage: 'messaging', message: 'Busy.', remedy: 'Wait.' } as const;
    const { host } = setUp((request, port) => {
      if (request.type === 'hello') hello(request, port);
      else port.say({ type: 'error', requestId: request.requestId, error });
    });
    await expect(host.ask({ type: 'status' })).rejects.toMatchObject(error);
  });

  it('hands on what a run in this browser asks for, and nothing that is no step of a trial', async () => {
    const { host, ports } = setUp(hello);
    const heard: unknown[] = [];
    host.onOwnCall = ({ runId, callId, call }) => heard.push([runId, callId, call]);
    host.onOwnStop = (runId) => heard.push(runId);
    await host.open();
    const load = { verb: 'load', url: 'https://example.org/', timeoutMs: 1000 };
    ports[0]?.say({ type: 'own-call', runId: 'r', callId: 'c', call: load });
    ports[0]?.say({ type: 'own-stop', runId: 'r' });
    expect(heard).toEqual([['r', 'c', load], 'r']);
    ports[0]?.say({ type: 'own-call', runId: 'r', callId: 'd', call: { ...load, url: 'about:config' } });
    expect(heard).toHaveLength(2);
    expect(host.state).toMatchObject({ state: 'unavailable', error: { code: 'bad-message' } });
  });

  it('ends the connection at a message that fits no schema', async () => {
    const { host, ports } = setUp(hello);
    await host.open();
    ports[0]?.say({ type: 'run', run: { runId: 7 } });
    expect(host.state).toMatchObject({ state: 'unavailable', error: { code: 'bad-message' } });
    expect(ports[0]?.closed).toBe(true);
  });

  it('fails what is pending when the host dies, and tells its owner', async () => {
    const { host, ports } = setUp((request, port) => {
      if (request.type === 'hello') hello(request, port);
      else port.die('Native host has exited.');
    });
    let lost = 0;
    host.onLost = () => {
      lost += 1;
    };
    await expect(host.ask({ type: 'status' })).rejects.toMatchObject({ remedy: 'bin/towline doctor' });
    expect(lost).toBe(1);
    expect(host.state.state).toBe('asleep');
    await host.open();
    expect(ports).toHaveLength(2);
  });
});
