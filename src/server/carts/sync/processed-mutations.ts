import { sql } from 'kysely'
import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import type { CartRef } from '../store/read-cart.ts'
import { type CartCommand, rejectedResult } from './command.ts'
import { rejections } from './mutation-rejections.ts'

/** The recorded result of a mutation, with the hash of its content. */
export type ProcessedMutation = { readonly bodyHash: string; readonly answer: MutationResult }

/** The recorded results of this session, by mutation. */
export const readProcessedMutations = async (
  db: Db | Transaction,
  { job, session }: CartRef,
  told: readonly CartCommand[],
): Promise<Map<string, ProcessedMutation>> => {
  if (told.length === 0) return new Map()
  const ids = JSON.stringify(told.map(({ id }) => id))
  const { rows } = await sql<{ mutation_id: string; body_hash: string; answer: MutationResult }>`
    select mutation_id, body_hash, answer from cart_mutations
     where studio_id = ${job.studioId} and session_id = ${session.id}
       and mutation_id in (select value::uuid from jsonb_array_elements_text(${ids}::jsonb))`.execute(db)
  return new Map(rows.map((row) => [row.mutation_id, { bodyHash: row.body_hash, answer: row.answer }]))
}

/** Returns the recorded result; a rejection when the same id comes with other content. */
export const replayedResult = (
  { id, bodyHash }: CartCommand,
  recorded: ProcessedMutation | undefined,
): MutationResult => (recorded?.bodyHash === bodyHash ? recorded.answer : rejectedResult(id, rejections['key-reused']))
