import { Buffer } from 'node:buffer'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'

type StudioHostsInput = { readonly studioId: number; readonly hosts: readonly string[] }

/** The number of random bytes in the text that proves a host name. */
const tokenBytes = 16

/** Replaces a studio's host names. A new host name gets a token and waits for its verification. */
export const replaceHosts = async (
  tx: Transaction,
  { randomBytes, clock }: Pick<Deps, 'randomBytes' | 'clock'>,
  { studioId, hosts }: StudioHostsInput,
): Promise<void> => {
  const deletion = tx.deleteFrom('studio_hosts').where('studio_id', '=', studioId)
  await (hosts.length > 0 ? deletion.where('host_name', 'not in', hosts) : deletion).execute()
  if (hosts.length === 0) return
  const now = clock()
  const rows = hosts.map((host_name) => ({
    ...{ host_name, studio_id: studioId, waiting_since: now, created_at: now },
    token: Buffer.from(randomBytes(tokenBytes)).toString('hex'),
  }))
  await tx
    .insertInto('studio_hosts')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
