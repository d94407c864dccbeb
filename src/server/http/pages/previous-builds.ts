import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { subHours } from 'date-fns/subHours'
import type { Deps } from '#server/deps.ts'
import type { FileRead } from '#server/ports/files.ts'
import type { BuiltClient } from './built-client.ts'

/** Days for which a page that was opened before an update may request the files of its build. */
const retentionDays = 30

const assetKey = (name: string): string => `builds/assets/${name}`
const listKey = (build: string): string => `builds/lists/${build}.json`

/** The files of a build, and the time at which a server last served it. */
type AssetList = { served: string; assets: string[] }

type BuildStoreDeps = Pick<Deps, 'files' | 'clock'>

const storeList = async ({ files, clock }: BuildStoreDeps, { build, assets }: BuiltClient): Promise<void> => {
  const list: AssetList = { served: clock().toISOString(), assets: [...assets] }
  await files.put(listKey(build), Buffer.from(JSON.stringify(list)))
}

/** Copies the hashed files of this build to the store, where servers of later builds find them. Runs at each start. */
export const storeBuild = async (deps: BuildStoreDeps, client: BuiltClient): Promise<void> => {
  const storedKeys = new Set<string>()
  for await (const { key } of deps.files.list('builds/assets/')) storedKeys.add(key)
  for (const name of client.assets) {
    if (storedKeys.has(assetKey(name))) continue
    await deps.files.put(assetKey(name), createReadStream(join(client.folder, 'assets', name)))
  }
  await storeList(deps, client)
}

/** Reads a file of a previous build; undefined if it never existed or has been deleted. */
export const readStoredAsset = async (
  { files }: BuildStoreDeps,
  name: string,
): Promise<Extract<FileRead, { outcome: 'opened' }> | undefined> => {
  if (!/^[\w-][\w.-]*$/.test(name)) return undefined
  const file = await files.read(assetKey(name))
  return file.outcome === 'opened' ? file : undefined
}

const readList = async ({ files }: BuildStoreDeps, key: string): Promise<AssetList | undefined> => {
  const file = await files.read(key)
  return file.outcome === 'opened' ? JSON.parse(await text(file.body)) : undefined
}

/**
 * Records that this build is still served, and deletes files that no server has served for `retentionDays`. Runs daily.
 */
export const purgeOldBuilds = async (deps: BuildStoreDeps, client: BuiltClient): Promise<void> => {
  await storeList(deps, client)
  const cutoff = subHours(deps.clock(), retentionDays * 24).getTime()
  const servedKeys = new Set<string>()
  for await (const { key } of deps.files.list('builds/lists/')) {
    const list = await readList(deps, key)
    if (list && Date.parse(list.served) < cutoff) await deps.files.remove(key)
    else for (const name of list?.assets ?? []) servedKeys.add(assetKey(name))
  }
  for await (const { key } of deps.files.list('builds/assets/')) {
    if (!servedKeys.has(key)) await deps.files.remove(key)
  }
}
