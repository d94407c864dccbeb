import { createHash } from 'node:crypto'
import { subYears } from 'date-fns/subYears'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'

// New entries of the audit log are written without a hash, so that no change waits for another. A background job seals them each minute:
// it numbers them in the order of their ids and chains their hashes. See README.md.

/** The oldest entries that are stored. The trigger of the table refuses the deletion of younger ones. */
const retentionYears = 7
/** The number of entries that are sealed in one transaction. */
const sealBatchSize = 1000
/** The findings of a verification that are listed; one is as bad as a hundred. */
const maxFindings = 20

/** SQL: what the hash of an entry covers, as text that does not depend on settings of the connection. */
const content: RawBuilder<string> = sql<string>`jsonb_build_array(
  id, studio_id, user_id, session_id, consented_by, action, entity, entity_id, detail, request_id, address, extract(epoch from created_at))::text`

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

type Chain = { firstPosition: number; firstPreviousHash: string; lastPosition: number; lastHash: string }

const chainColumns = sql`
  first_position as "firstPosition", first_previous_hash as "firstPreviousHash", last_position as "lastPosition", last_hash as "lastHash"`

const emptyChain: Chain = { firstPosition: 1, firstPreviousHash: '', lastPosition: 0, lastHash: '' }

const readChain = async (db: Db): Promise<Chain> => {
  const { rows } = await sql<Chain>`select ${chainColumns} from audit_chain`.execute(db)
  return rows[0] ?? emptyChain
}

/** Locks the ends of the chain, so that only one server changes them. */
const lockChain = async (tx: Transaction): Promise<Chain> => {
  await sql`insert into audit_chain default values on conflict do nothing`.execute(tx)
  const { rows } = await sql<Chain>`select ${chainColumns} from audit_chain for update`.execute(tx)
  return rows[0] ?? emptyChain
}

/** Seals the next entries. Returns how many. */
const sealBatch = async (tx: Transaction): Promise<number> => {
  const chain = await lockChain(tx)
  const { rows } = await sql<{ id: number; content: string }>`
    select id, ${content} as content from audit_log where position is null order by id limit ${sealBatchSize}`.execute(
    tx,
  )
  let { lastPosition: position, lastHash: previousHash } = chain
  const seals = rows.map((entry) => {
    position += 1
    const seal = { id: entry.id, position, previousHash, hash: hashOf(`${previousHash}${entry.content}`) }
    previousHash = seal.hash
    return seal
  })
  await sql`
    update audit_log a set position = s.position, previous_hash = s."previousHash", hash = s.hash
      from jsonb_to_recordset(${JSON.stringify(seals)}::jsonb) as s(id bigint, position bigint, "previousHash" text, hash text)
     where a.id = s.id`.execute(tx)
  await sql`update audit_chain set last_position = ${position}, last_hash = ${previousHash}`.execute(tx)
  return rows.length
}

/** Adds all new entries of the audit log to its chain. */
export const sealAuditLog = async ({ db }: Pick<Deps, 'db'>): Promise<void> => {
  while ((await inTransaction(db, sealBatch)) === sealBatchSize);
}

/**
 * Deletes the entries at the beginning of the chain that are older than seven years, and moves the beginning, so that the rest can still be
 * verified.
 */
export const purgeAuditLog = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  await inTransaction(db, async (tx) => {
    const { firstPosition } = await lockChain(tx)
    const cutoff = sql`least(${subYears(clock(), retentionYears)}::timestamptz, now() - interval '7 years')`
    // Up to the first entry that is young enough: entries are sealed in the order of their ids, not exactly of their times.
    const { rows } = await sql<{ position: number; hash: string }>`
      with old as (
        select position, hash from audit_log
         where position < coalesce((select min(position) from audit_log where created_at >= ${cutoff}), ${Number.MAX_SAFE_INTEGER})
      )
      select position, hash from old order by position desc limit 1`.execute(tx)
    const [last] = rows
    if (!last) return
    await sql`delete from audit_log where position between ${firstPosition} and ${last.position}`.execute(tx)
    await sql`
      update audit_chain set first_position = ${last.position + 1}, first_previous_hash = ${last.hash}`.execute(tx)
  })
}

type Finding = { position: number; problem: 'changed' | 'missing' }

export type Verification = {
  /** Sealed entries, and new ones that are sealed within a minute. */
  readonly sealed: number
  readonly unsealed: number
  /** The position and the hash of the last sealed entry. Stored elsewhere, they prove later that the chain up to it is the same. */
  readonly last: { readonly position: number; readonly hash: string }
  /** The first positions that are wrong: `changed`, the content is not that which was sealed; `missing`, the entry before it is not there. */
  readonly findings: readonly Finding[]
}

/** Checks the whole chain: the content of each entry, that each follows the one before, and both ends. */
export const verifyAuditLog = async ({ db }: Pick<Deps, 'db'>): Promise<Verification> => {
  const chain = await readChain(db)
  const { rows: findings } = await sql<Finding>`
    with entries as (
      select position, previous_hash, hash, encode(sha256(convert_to(previous_hash || ${content}, 'UTF8')), 'hex') as computed,
             lag(position, 1, ${chain.firstPosition - 1}::bigint) over chain as before,
             lag(hash, 1, ${chain.firstPreviousHash}::text) over chain as "hashBefore"
        from audit_log where position is not null window chain as (order by position)
    )
    select position, case when hash <> computed then 'changed' else 'missing' end as problem
      from entries where hash <> computed or position <> before + 1 or previous_hash <> "hashBefore"
     order by position limit ${maxFindings}`.execute(db)
  const { rows } = await sql<{ sealed: number; unsealed: number; isComplete: boolean }>`
    select count(position) as sealed, count(*) filter (where position is null) as unsealed,
           count(*) filter (where position = ${chain.lastPosition} and hash = ${chain.lastHash}) = 1 as "isComplete"
      from audit_log`.execute(db)
  const { sealed = 0, unsealed = 0, isComplete = false } = rows[0] ?? {}
  const isEmpty = sealed === 0 && chain.lastPosition < chain.firstPosition
  const last = { position: chain.lastPosition, hash: chain.lastHash }
  const endFinding: Finding[] = isComplete || isEmpty ? [] : [{ position: chain.lastPosition, problem: 'missing' }]
  return { sealed, unsealed, last, findings: [...findings, ...endFinding] }
}
