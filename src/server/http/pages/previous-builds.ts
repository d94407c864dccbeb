import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Deps } from '#server/deps.ts'
import type { FileRead } from '#server/ports/files.ts'
import type { BuiltClient } from './built-client.ts'

/** Days for which a page opened before an update may request its own build's files (section 6). */
const keptDays = 30

const bytesKey = (name: string): string => `builds/assets/${name}`
const listKey = (build: string): string => `builds/lists/${build}.json`

/** A build's files, and when a server last served it. */
type List = { served: string; assets: string[] }

type BuildStoreDeps = Pick<Deps, 'files' | 'clock'>

const keepList = async ({ files, clock }: BuildStoreDeps, { build, assets }: BuiltClient): Promise<void> => {
  const list: List = { served: clock().toISOString(), assets: [...assets] }
  await files.put(listKey(build), Buffer.from(JSON.stringify(list)))
}

/** At each start: copies this build's hashed files where the servers of later builds find them. Existing files are left alone. */
export const storeBuild = async (deps: BuildStoreDeps, client: BuiltClient): Promise<void> => {
  const there = new Set<string>()
  for await (const { key } of deps.files.list('builds/assets/')) there.add(key)
  for (const name of client.assets) {
    if (there.has(bytesKey(name))) continue
    await deps.files.put(bytesKey(name), createReadStream(join(client.folder, 'assets', name)))
  }
  await keepList(deps, client)
}

/** A file of a previous build; undefined where it was never ours or has been deleted. */
export const readStoredAsset = async (
  { files }: BuildStoreDeps,
  name: string,
): Promise<Extract<FileRead, { outcome: 'opened' }> | undefined> => {
  if (!/^[\w-][\w.-]*$/.test(name)) return undefined
  const read = await files.read(bytesKey(name))
  return read.outcome === 'opened' ? read : undefined
}

const readList = async ({ files }: BuildStoreDeps, key: string): Promise<List | undefined> => {
  const read = await files.read(key)
  return read.outcome === 'opened' ? JSON.parse(await text(read.body)) : undefined
}

/** Once a day: records that this build is still served, and deletes files that no server has served for thirty days. */
export const purgeOldBuilds = async (deps: BuildStoreDeps, client: BuiltClient): Promise<void> => {
  await keepList(deps, client)
  const before = deps.clock().getTime() - keptDays * 24 * 60 * 60 * 1000
  const wanted = new Set<string>()
  for await (const { key } of deps.files.list('builds/lists/')) {
    const list = await readList(deps, key)
    if (list && Date.parse(list.served) < before) await deps.files.remove(key)
    else for (const name of list?.assets ?? []) wanted.add(bytesKey(name))
  }
  for await (const { key } of deps.files.list('builds/assets/')) {
    if (!wanted.has(key)) await deps.files.remove(key)
  }
}
