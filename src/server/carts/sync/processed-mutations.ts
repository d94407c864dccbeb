import { sql } from 'kysely'
import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import type { CartRef } from '../store/read-cart.ts'
import { type CartCommand, rejectedResult } from './command.ts'
import { rejections } from './mutation-rejections.ts'

/** The recorded result of a mutation, with the hash of its content. */
export type ProcessedMutation = { readonly bodyHash: string; readonly answer: MutationResult }

/** Reads the recorded results of these mutations of the session, by mutation id. */
export const readProcessedMutations = async (
  db: Db | Transaction,
  { job, session }: CartRef,
  mutations: readonly { id: string }[],
): Promise<Map<string, ProcessedMutation>> => {
  if (mutations.length === 0) return new Map()
  const ids = JSON.stringify(mutations.map(({ id }) => id))
  const { rows } = await sql<{ mutation_id: string; body_hash: string; answer: MutationResult }>`
    select mutation_id, body_hash, answer from cart_mutations
     where studio_id = ${job.studioId} and session_id = ${session.id}
       and mutation_id in (select value::uuid from jsonb_array_elements_text(${ids}::jsonb))`.execute(db)
  return new Map(rows.map((row) => [row.mutation_id, { bodyHash: row.body_hash, answer: row.answer }]))
}

/** Returns the recorded result, or a rejection if the same id arrives with different content. */
export const replayedResult = (
  { id, bodyHash }: CartCommand,
  recorded: ProcessedMutation | undefined,
): MutationResult => (recorded?.bodyHash === bodyHash ? recorded.answer : rejectedResult(id, rejections['key-reused']))
