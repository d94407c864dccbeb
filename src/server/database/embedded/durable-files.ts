import { fsyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { DatabaseStopped } from '../disk-full.ts'

type OpenFile = { readonly nfd?: number }

/** What we use of the compiled PostgreSQL and its file system over Node, whose own types leave it out. */
export type PgliteEngine = {
  readonly NODEFS: { readonly stream_ops: Record<string, unknown>; readonly node_ops: Record<string, unknown> }
  stackRestore: (pointer: unknown) => void
  _PostgresMainLoopOnce: () => void
  _PostgresSendReadyForQueryIfNecessary: () => void
  _pgl_pq_flush: () => void
}

type Prepare = (engine: PgliteEngine) => void
type EmscriptenOptions = Parameters<NodeFS['init']>[1]

/** The number PostgreSQL, compiled to WebAssembly, knows as "input/output error". */
const inputOutputError = 29

/**
 * PGlite's folder of files, with a sync that reaches the disk. As shipped, Emscripten's file system answers every sync with
 * success and does nothing: a power cut then takes every commit since the operating system happened to write.
 */
export class DurableNodeFS extends NodeFS {
  /** Why the engine had to stop, once it had: nothing is acknowledged after it, and only opening anew helps. */
  failure: Error | undefined
  #engine: PgliteEngine | undefined

  override async init(pglite: PGlite, options: EmscriptenOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pglite, options)
    const before = (emscriptenOpts.preRun ?? []) as Prepare[] // Emscripten's type allows a lone function too; PGlite makes a list
    const preRun = [...before, (engine: PgliteEngine) => this.prepare(engine)] as typeof emscriptenOpts.preRun
    return { emscriptenOpts: { ...emscriptenOpts, preRun, onAbort: (reason: unknown) => this.#stop(reason) } }
  }

  /** Runs before PostgreSQL starts, while its file operations can still be changed. */
  protected prepare(engine: PgliteEngine): void {
    this.#engine = engine
    engine.NODEFS.stream_ops.fsync = (file: OpenFile) => (file.nfd === undefined ? 0 : this.sync(file.nfd))
  }

  /** Answers PostgreSQL in its own way: 0, or the number of an error, at which it stops rather than trust the disk again. */
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
   * PostgreSQL gave up (a full disk, a refused sync). PGlite would call it again for ever with the process frozen in the loop;
   * the one place where an error gets out of that loop is where it restores the stack.
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
