import { fsyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { DatabaseStopped } from '../disk-full.ts'

type OpenFile = { readonly nfd?: number }

/** The used parts of the compiled PostgreSQL and its file system over Node, which the packages do not type. */
export type PgliteEngine = {
  readonly NODEFS: { readonly stream_ops: Record<string, unknown>; readonly node_ops: Record<string, unknown> }
  stackRestore: (pointer: unknown) => void
  _PostgresMainLoopOnce: () => void
  _PostgresSendReadyForQueryIfNecessary: () => void
  _pgl_pq_flush: () => void
}

type PreRunHook = (engine: PgliteEngine) => void
type EmscriptenOptions = Parameters<NodeFS['init']>[1]

/** The number of "input/output error" (EIO) in PostgreSQL compiled to WebAssembly. */
const inputOutputError = 29

/**
 * PGlite's file system with an fsync that reaches the disk. Emscripten's own file system reports success for every
 * fsync without doing anything, so a power cut would lose every commit since the operating system last wrote to the
 * disk.
 */
export class DurableNodeFS extends NodeFS {
  /** The reason why the engine stopped. After that no statement succeeds until the database is reopened. */
  failure: Error | undefined
  #engine: PgliteEngine | undefined

  override async init(pglite: PGlite, options: EmscriptenOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pglite, options)
    const previousHooks = (emscriptenOpts.preRun ?? []) as PreRunHook[] // Emscripten's type also allows a single function; PGlite makes a list
    const preRun = [...previousHooks, (engine: PgliteEngine) => this.prepare(engine)] as typeof emscriptenOpts.preRun
    return { emscriptenOpts: { ...emscriptenOpts, preRun, onAbort: (reason: unknown) => this.#stop(reason) } }
  }

  /** Runs before PostgreSQL starts, while its file operations can still be replaced. */
  protected prepare(engine: PgliteEngine): void {
    this.#engine = engine
    engine.NODEFS.stream_ops.fsync = (file: OpenFile) => (file.nfd === undefined ? 0 : this.sync(file.nfd))
  }

  /** Returns PostgreSQL's result of an fsync: 0, or an error number, which makes PostgreSQL stop. */
  protected sync(descriptor: number): number {
    try {
      fsyncSync(descriptor)
      return 0
    } catch (problem) {
      this.failure ??= createStoppedError(problem)
      return inputOutputError
    }
  }

  /**
   * Handles an abort of PostgreSQL after a full disk or a failed fsync. PGlite would call it again in an endless loop
   * that blocks the process. Only an error thrown in `stackRestore` ends that loop.
   */
  #stop(reason: unknown): void {
    this.failure ??= createStoppedError(reason)
    const fail = (): never => {
      throw this.failure
    }
    const doNothing = (): void => {}
    Object.assign(this.#engine ?? {}, {
      stackRestore: fail,
      _PostgresMainLoopOnce: fail,
      _PostgresSendReadyForQueryIfNecessary: doNothing,
      _pgl_pq_flush: doNothing,
    })
  }
}

const createStoppedError = (cause: unknown): DatabaseStopped =>
  new DatabaseStopped(
    'The embedded database stopped: the disk refused a write or a sync. Free some space if it is full, then restart.',
    {
      cause,
    },
  )
