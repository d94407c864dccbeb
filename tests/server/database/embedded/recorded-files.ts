import { fstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DurableNodeFS, type PgliteEngine } from '#server/database/embedded/durable-files.ts'

/** One request of the database to the disk, in order; a file is named by its first name. */
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
// biome-ignore lint/suspicious/noExplicitAny: Emscripten's file operations have no types
type Operation = (...given: any[]) => any

const isFolder = (mode: number): boolean => (mode & 0o170000) === 0o040000

/** The files of the embedded database, recording every request that changes or syncs them. */
export class RecordedFiles extends DurableNodeFS {
  readonly asked: FileRequest[] = []
  readonly #fileByInode = new Map<number, string>()
  #created = 0

  constructor(folder: string) {
    super(folder)
    for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
      this.#fileByInode.set(statSync(join(folder, name)).ino, name)
    }
  }

  acknowledge(id: number): void {
    this.asked.push({ do: 'acknowledge', id })
  }

  protected override prepare(engine: PgliteEngine): void {
    super.prepare(engine)
    const files = engine.NODEFS.stream_ops as Record<string, Operation>
    const names = engine.NODEFS.node_ops as Record<string, Operation>
    // After the disk did it, so that failures are not recorded.
    const after = (operations: Record<string, Operation>, name: string, record: Operation): void => {
      const original = operations[name]
      if (!original) throw new Error(`Emscripten's file system has no ${name} any more`)
      operations[name] = (...given) => {
        const before = record(...given)
        const result = original(...given)
        before?.(result)
        return result
      }
    }
    const forbid =
      (name: string): Operation =>
      () => {
        throw new Error(`The record cannot hold ${name}`)
      }
    after(files, 'write', (stream: Stream, from: Uint8Array, offset: number, length: number, at: number) => {
      const bytes = Uint8Array.from(from.subarray(offset, offset + length))
      return (written: number) =>
        this.asked.push({ do: 'write', file: this.#fileOf(stream.nfd), at, bytes: bytes.subarray(0, written) })
    })
    after(files, 'setattr', (stream: Stream, change: { size?: number }) => () => {
      if (change.size !== undefined)
        this.asked.push({ do: 'resize', file: this.#fileOf(stream.nfd), size: change.size })
    })
    after(names, 'setattr', (node: Node, change: { size?: number }) => () => {
      if (change.size === undefined) return
      this.asked.push({ do: 'resize', file: this.#fileAt(this.#pathOf(node)), size: change.size })
    })
    after(names, 'mknod', (parent: Node, name: string, mode: number) => () => {
      const path = join(this.#pathOf(parent), name)
      const file = this.#newFile(path)
      this.asked.push(isFolder(mode) ? { do: 'createFolder', path } : { do: 'create', path, file })
    })
    after(names, 'rename', (node: Node, folder: Node, name: string) => {
      if (isFolder(node.mode)) return forbid('a renamed folder')()
      const path = this.#pathOf(node)
      return () => this.asked.push({ do: 'rename', path, to: join(this.#pathOf(folder), name) })
    })
    for (const [operation, done] of [
      ['unlink', 'remove'],
      ['rmdir', 'removeFolder'],
    ] as const) {
      after(names, operation, (parent: Node, name: string) => () => {
        this.asked.push({ do: done, path: join(this.#pathOf(parent), name) })
      })
    }
    after(names, 'symlink', forbid('a symbolic link'))
    after(files, 'msync', forbid('a mapped file'))
  }

  protected override sync(descriptor: number): number {
    const result = super.sync(descriptor)
    if (result === 0) this.asked.push({ do: 'sync', file: this.#fileOf(descriptor) })
    return result
  }

  #pathOf(node: Node): string {
    const parts: string[] = []
    for (let at = node; at.parent !== at; at = at.parent) parts.unshift(at.name)
    return join(...parts)
  }

  #fileOf(descriptor: number): string {
    return this.#known(fstatSync(descriptor).ino)
  }

  #fileAt(path: string): string {
    return this.#known(statSync(join(this.rootDir, path)).ino)
  }

  #known(inode: number): string {
    const file = this.#fileByInode.get(inode)
    if (file === undefined) throw new Error('A file came into being off the record')
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
