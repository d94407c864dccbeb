import { sql } from 'kysely'
import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import type { CartOf } from '../store/read-cart.ts'
import { refusedAs, type Told } from './command.ts'
import { refusals } from './mutation-rejections.ts'

/** What was answered to a mutation, and to which content. */
export type RecordedResult = { readonly bodyHash: string; readonly answer: MutationResult }

/** The results this visit was given before, by mutation. */
export const recordedResults = async (
  db: Db | Transaction,
  { job, session }: CartOf,
  told: readonly Told[],
): Promise<Map<string, RecordedResult>> => {
  if (told.length === 0) return new Map()
  const ids = JSON.stringify(told.map(({ id }) => id))
  const { rows } = await sql<{ mutation_id: string; body_hash: string; answer: MutationResult }>`
    select mutation_id, body_hash, answer from cart_mutations
     where studio_id = ${job.studioId} and session_id = ${session.id}
       and mutation_id in (select value::uuid from jsonb_array_elements_text(${ids}::jsonb))`.execute(db)
  return new Map(rows.map((row) => [row.mutation_id, { bodyHash: row.body_hash, answer: row.answer }]))
}

/** The recorded result again; or a refusal, when the same id now says something else. */
export const resultOf = ({ id, bodyHash }: Told, recorded: RecordedResult | undefined): MutationResult =>
  recorded?.bodyHash === bodyHash ? recorded.answer : refusedAs(id, refusals['key-reused'])
