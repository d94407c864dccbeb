import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Environment of server processes: they share Node's compile cache. */
export const compileCacheEnv = { NODE_COMPILE_CACHE: `${root}node_modules/.cache/fieldproof/compiled` } as const

type Manifest = { scripts: { start: string } }
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as Manifest // package.json has a start script

/** The environment and options that `npm start` passes to the server besides its settings. */
const startEnvironment: Record<string, string> = Object.fromEntries(
  [...scripts.start.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
)
const startOptions = scripts.start.match(/--\S+/g) ?? []

/** The real server with the built client, in a separate process. */
export type Product = {
  url: string
  /** The folder of its data. */
  dataDir: string
  /** Process id. */
  pid: number
  /** The error lines of its log. */
  errors: () => string[]
  /** Stops it with SIGTERM, as an operator would, and waits. */
  stop: () => Promise<void>
  /** Kills it with SIGKILL, as a power cut would, and waits. */
  kill: () => Promise<void>
}

export type ProductOptions = {
  dataDir: string
  port?: number
  env?: Record<string, string>
  /** The folder of another release. */
  release?: string
}

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('there is no free port')
  return address.port
}

const terminate = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

// Kills the product when the test process exits, for example in an aborted run.
const killOnExit = (child: ChildProcess): void => {
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
}

const isError = (line: string): boolean => /^\{"level":(50|60),/.test(line)

/** Starts the built product. Resolves once it logs that it listens; rejects with its output when it exits before. */
export const startProduct = async (options: ProductOptions): Promise<Product> => {
  const { dataDir, port, env = {}, release = root } = options
  const usedPort = port ?? (await freePort())
  const child = spawn(process.execPath, [...startOptions, 'src/server/main.ts'], {
    cwd: release,
    env: {
      ...process.env,
      ...startEnvironment,
      ...compileCacheEnv,
      NODE_ENV: 'test',
      PORT: String(usedPort),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  killOnExit(child)
  const startLines: string[] = []
  const errorLines: string[] = []
  const listening = new Promise<void>((resolve, reject) => {
    let isReady = false
    const readLine = (line: string) => {
      if (isError(line)) errorLines.push(line)
      if (isReady) return // the log of a long run would fill the memory
      startLines.push(line)
      isReady = line.includes('Fieldproof is ready')
      if (isReady) resolve()
    }
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', readLine)
    child.once('close', (code) =>
      reject(new Error(`the product exited with code ${code} before it listened:\n${startLines.join('\n')}`)),
    )
  })
  await listening
  if (child.pid === undefined) throw new Error('the product has no process id')
  return {
    url: `http://127.0.0.1:${usedPort}`,
    dataDir,
    pid: child.pid,
    errors: () => [...errorLines],
    stop: () => terminate(child, 'SIGTERM'),
    kill: () => terminate(child, 'SIGKILL'),
  }
}
