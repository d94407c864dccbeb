import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to a TCP server. When it stalls, connections are accepted and stay open, but no byte is forwarded. */
export type StallableTcpProxy = { readonly port: number; stall(): void; close(): Promise<void> }

/** Starts a proxy on its own port to a server on this machine. */
export const startStallableTcpProxy = async (target: { host: string; port: number }): Promise<StallableTcpProxy> => {
  const sockets = new Set<Socket>()
  let isStalled = false
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((client) => {
    track(client)
    const upstream = track(connect(target.port, target.host))
    client.on('data', (bytes) => void (isStalled || upstream.write(bytes)))
    upstream.on('data', (bytes) => void (isStalled || client.write(bytes)))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    stall: () => {
      isStalled = true
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
