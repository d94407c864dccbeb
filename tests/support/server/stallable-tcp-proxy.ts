import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to a TCP server that can stall: it keeps and accepts connections, but forwards no byte. */
export type StallableTcpProxy = { readonly port: number; stall(): void; close(): Promise<void> }

/** Starts a proxy on its own port to a server on this machine. */
export const startStallableTcpProxy = async (target: { host: string; port: number }): Promise<StallableTcpProxy> => {
  const sockets = new Set<Socket>()
  let isMuted = false
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((client) => {
    track(client)
    const other = track(connect(target.port, target.host))
    client.on('data', (bytes) => void (isMuted || other.write(bytes)))
    other.on('data', (bytes) => void (isMuted || client.write(bytes)))
    client.on('close', () => other.destroy())
    other.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    stall: () => {
      isMuted = true
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
