import { fsyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type OpenFile = { readonly nfd?: number }

/** What we use of Emscripten's file system over Node, which has no types of its own. */
export type NodeFiles = {
  readonly NODEFS: { readonly stream_ops: Record<string, unknown>; readonly node_ops: Record<string, unknown> }
}

type Prepare = (module: NodeFiles) => void
type EmscriptenOptions = Parameters<NodeFS['init']>[1]

/** The number PostgreSQL, compiled to WebAssembly, knows as "input/output error". */
const inputOutputError = 29

/**
 * PGlite's folder of files, with a sync that reaches the disk. As shipped, Emscripten's file system answers every sync with
 * success and does nothing: a power cut then takes every commit since the operating system happened to write.
 */
export class DurableNodeFS extends NodeFS {
  /** The first sync the disk refused. From then on nothing may be acknowledged: what is on the disk is unknown. */
  failure: Error | undefined

  override async init(pglite: PGlite, options: EmscriptenOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pglite, options)
    const before = (emscriptenOpts.preRun ?? []) as Prepare[] // Emscripten's type allows a lone function too; PGlite makes a list
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...before, this.prepare] as typeof emscriptenOpts.preRun } }
  }

  /** Runs before PostgreSQL starts, with the module whose file operations can still be changed. */
  protected prepare: Prepare = (module) => {
    module.NODEFS.stream_ops.fsync = (file: OpenFile) => (file.nfd === undefined ? 0 : this.sync(file.nfd))
  }

  protected sync(descriptor: number): number {
    try {
      fsyncSync(descriptor)
      return 0
    } catch (problem) {
      this.failure ??= problem instanceof Error ? problem : new Error(String(problem))
      return inputOutputError
    }
  }
}
