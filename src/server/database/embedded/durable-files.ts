import { fsyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { DatabaseStopped } from '../disk-full.ts'

type OpenFile = { readonly nfd?: number }

/** The parts we use of the compiled PostgreSQL and its file system over Node; their own types leave them out. */
export type PgliteEngine = {
  readonly NODEFS: { readonly stream_ops: Record<string, unknown>; readonly node_ops: Record<string, unknown> }
  stackRestore: (pointer: unknown) => void
  _PostgresMainLoopOnce: () => void
  _PostgresSendReadyForQueryIfNecessary: () => void
  _pgl_pq_flush: () => void
}

type Prepare = (engine: PgliteEngine) => void
type EmscriptenOptions = Parameters<NodeFS['init']>[1]

/** PostgreSQL's number, compiled to WebAssembly, for "input/output error". */
const inputOutputError = 29

/**
 * PGlite's folder of files, with a sync that reaches the disk. Emscripten's own file system reports success for every sync and does
 * nothing: a power cut then loses every commit since the operating system last wrote.
 */
export class DurableNodeFS extends NodeFS {
  /** Why the engine had to stop; after that nothing is acknowledged, and the database has to be reopened. */
  failure: Error | undefined
  #engine: PgliteEngine | undefined

  override async init(pglite: PGlite, options: EmscriptenOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pglite, options)
    const before = (emscriptenOpts.preRun ?? []) as Prepare[] // Emscripten's type also allows a single function; PGlite makes a list
    const preRun = [...before, (engine: PgliteEngine) => this.prepare(engine)] as typeof emscriptenOpts.preRun
    return { emscriptenOpts: { ...emscriptenOpts, preRun, onAbort: (reason: unknown) => this.#stop(reason) } }
  }

  /** Runs before PostgreSQL starts, while its file operations can still be replaced. */
  protected prepare(engine: PgliteEngine): void {
    this.#engine = engine
    engine.NODEFS.stream_ops.fsync = (file: OpenFile) => (file.nfd === undefined ? 0 : this.sync(file.nfd))
  }

  /** Returns PostgreSQL's result of a sync: 0, or an error number, at which it stops rather than trust the disk again. */
  protected sync(descriptor: number): number {
    try {
      fsyncSync(descriptor)
      return 0
    } catch (problem) {
      this.failure ??= stopped(problem)
      return inputOutputError
    }
  }

  /**
   * PostgreSQL gave up (a full disk, a refused sync). PGlite would call it again in an endless loop that freezes the process; an error
   * leaves that loop only where it restores the stack.
   */
  #stop(reason: unknown): void {
    this.failure ??= stopped(reason)
    const fail = (): never => {
      throw this.failure
    }
    const quiet = (): void => {}
    Object.assign(this.#engine ?? {}, {
      stackRestore: fail,
      _PostgresMainLoopOnce: fail,
      _PostgresSendReadyForQueryIfNecessary: quiet,
      _pgl_pq_flush: quiet,
    })
  }
}

const stopped = (cause: unknown): DatabaseStopped =>
  new DatabaseStopped(
    'The embedded database stopped: the disk refused a write or a sync. Free some space if it is full, then restart.',
    {
      cause,
    },
  )
