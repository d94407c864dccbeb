import { createHmac } from 'node:crypto'
import {
  normalizeRecoveryCode,
  recoveryCodeBytes,
  recoveryCodeCount,
  recoveryCodeFrom,
} from '#domain/studio/two-factor.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'

/** A code has 50 random bits: its hash needs the server's secret, so that the database alone cannot be searched. */
const hashOfCode = ({ settings }: Pick<Deps, 'settings'>, userId: number, code: string): string =>
  createHmac('sha256', settings.secret)
    .update(JSON.stringify(['recovery-code', userId, code]))
    .digest('hex')

/** Makes a user's recovery codes in place of the previous ones. Only their hashes are stored. */
export const makeRecoveryCodes = async (tx: Transaction, deps: Deps, userId: number): Promise<string[]> => {
  const codes = new Set<string>()
  while (codes.size < recoveryCodeCount) codes.add(recoveryCodeFrom(deps.randomBytes(recoveryCodeBytes)))
  await deleteRecoveryCodes(tx, userId)
  await tx
    .insertInto('recovery_codes')
    .values([...codes].map((code) => ({ user_id: userId, code_hash: hashOfCode(deps, userId, code) })))
    .execute()
  return [...codes]
}

export const deleteRecoveryCodes = async (tx: Transaction, userId: number): Promise<void> => {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

/** Uses a recovery code, once; false for a wrong code or one that was used before. */
export const spendRecoveryCode = async (
  tx: Transaction,
  deps: Deps,
  { userId, code: typedCode }: { readonly userId: number; readonly code: string },
): Promise<boolean> => {
  const code = normalizeRecoveryCode(typedCode)
  if (code === null) return false
  const used = await tx
    .updateTable('recovery_codes')
    .set({ used_at: deps.clock() })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOfCode(deps, userId, code))
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return used !== undefined
}
