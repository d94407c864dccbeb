import { fstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DurableNodeFS, type PgliteEngine } from '#server/database/embedded/durable-files.ts'

/** One request of the database to the disk, in order; `file` is the name that a file had at first. */
export type FileRequest =
  | { readonly do: 'write'; readonly file: string; readonly at: number; readonly bytes: Uint8Array }
  | { readonly do: 'resize'; readonly file: string; readonly size: number }
  | { readonly do: 'sync'; readonly file: string }
  | { readonly do: 'create'; readonly path: string; readonly file: string }
  | { readonly do: 'createFolder'; readonly path: string }
  | { readonly do: 'remove'; readonly path: string }
  | { readonly do: 'removeFolder'; readonly path: string }
  | { readonly do: 'rename'; readonly path: string; readonly to: string }
  | { readonly do: 'acknowledge'; readonly id: number }

type Node = { name: string; parent: Node; mode: number }
type Stream = { nfd: number; node: Node }
type Operations = Record<string, unknown>

const isFolder = (mode: number): boolean => (mode & 0o170000) === 0o040000

/** The files of the embedded database, recording every request that changes or syncs them. */
export class RecordedFiles extends DurableNodeFS {
  readonly requests: FileRequest[] = []
  readonly #fileByInode = new Map<number, string>()
  #created = 0

  constructor(folder: string) {
    super(folder)
    for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
      this.#fileByInode.set(statSync(join(folder, name)).ino, name)
    }
  }

  acknowledge(id: number): void {
    this.requests.push({ do: 'acknowledge', id })
  }

  protected override prepare(engine: PgliteEngine): void {
    super.prepare(engine)
    const files = engine.NODEFS.stream_ops
    const names = engine.NODEFS.node_ops
    // Records a request after it succeeded, so that failures are not recorded.
    const after = <Args extends unknown[]>(
      operations: Operations,
      name: string,
      record: (...args: Args) => (result: number) => void,
    ): void => {
      const original = operations[name] as ((...args: Args) => number) | undefined // Emscripten's operations have no types
      if (!original) throw new Error(`Emscripten's file system no longer has ${name}`)
      operations[name] = (...args: Args): number => {
        const recordResult = record(...args)
        const result = original(...args)
        recordResult(result)
        return result
      }
    }
    const forbid = (name: string) => (): never => {
      throw new Error(`The recording does not support ${name}`)
    }
    after(files, 'write', (stream: Stream, from: Uint8Array, offset: number, length: number, at: number) => {
      const bytes = Uint8Array.from(from.subarray(offset, offset + length))
      return (written: number) =>
        this.requests.push({ do: 'write', file: this.#fileOf(stream.nfd), at, bytes: bytes.subarray(0, written) })
    })
    after(files, 'setattr', (stream: Stream, change: { size?: number }) => () => {
      if (change.size !== undefined)
        this.requests.push({ do: 'resize', file: this.#fileOf(stream.nfd), size: change.size })
    })
    after(names, 'setattr', (node: Node, change: { size?: number }) => () => {
      if (change.size === undefined) return
      this.requests.push({ do: 'resize', file: this.#fileAt(this.#pathOf(node)), size: change.size })
    })
    after(names, 'mknod', (parent: Node, name: string, mode: number) => () => {
      const path = join(this.#pathOf(parent), name)
      const file = this.#newFile(path)
      this.requests.push(isFolder(mode) ? { do: 'createFolder', path } : { do: 'create', path, file })
    })
    after(names, 'rename', (node: Node, folder: Node, name: string) => {
      if (isFolder(node.mode)) return forbid('a renamed folder')()
      const path = this.#pathOf(node)
      return () => this.requests.push({ do: 'rename', path, to: join(this.#pathOf(folder), name) })
    })
    for (const [operation, requestKind] of [
      ['unlink', 'remove'],
      ['rmdir', 'removeFolder'],
    ] as const) {
      after(names, operation, (parent: Node, name: string) => () => {
        this.requests.push({ do: requestKind, path: join(this.#pathOf(parent), name) })
      })
    }
    after(names, 'symlink', forbid('a symbolic link'))
    after(files, 'msync', forbid('a mapped file'))
  }

  protected override sync(descriptor: number): number {
    const result = super.sync(descriptor)
    if (result === 0) this.requests.push({ do: 'sync', file: this.#fileOf(descriptor) })
    return result
  }

  #pathOf(node: Node): string {
    const parts: string[] = []
    for (let current = node; current.parent !== current; current = current.parent) parts.unshift(current.name)
    return join(...parts)
  }

  #fileOf(descriptor: number): string {
    return this.#nameByInode(fstatSync(descriptor).ino)
  }

  #fileAt(path: string): string {
    return this.#nameByInode(statSync(join(this.rootDir, path)).ino)
  }

  #nameByInode(inode: number): string {
    const file = this.#fileByInode.get(inode)
    if (file === undefined) throw new Error('A file was created without being recorded')
    return file
  }

  #newFile(path: string): string {
    this.#created += 1
    const file = `${path}#${this.#created}`
    // A new file may get the inode of a removed one.
    this.#fileByInode.set(statSync(join(this.rootDir, path)).ino, file)
    return file
  }
}
