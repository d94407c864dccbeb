/** A possible fault in the engine: one piece of source, which must occur exactly once, is replaced by another. */
export type Mutant = { name: string; file: string; replace: string; by: string }

/**
 * The source with the fault; throws if the piece does not occur exactly once, because the table must then be updated.
 */
export const mutated = ({ name, file, replace, by }: Mutant, source: string): string => {
  const times = source.split(replace).length - 1
  if (times !== 1) throw new Error(`“${name}”: the source to replace occurs ${times} times in ${file}`)
  return source.replace(replace, () => by)
}

const local = (file: string) => `src/local/${file}`

export const mutants: readonly Mutant[] = [
  {
    name: 'deletes mutations from the outbox before they are sent',
    file: local('outbox/sync-batch.ts'),
    replace: `      .modify({ state: 'sent' })
    await db.sending.put({ ...sending, inFlight: true })`,
    by: `      .delete()
    await db.sending.put({ ...sending, inFlight: true })`,
  },
  {
    name: 'holds the lock during back-off',
    file: local('transport/send-loop.ts'),
    replace: 'const outcome = await locks.request(lock, () => withDatabaseRetry(db, () => queue.sendNext()))',
    by: `const outcome = await locks.request(lock, async () => {
      const once = await withDatabaseRetry(db, () => queue.sendNext())
      const next = await queue.nextDue()
      const wait = next === null ? 0 : next - clock()
      if (wait > 0) await new Promise<void>((resolve) => void timers.after(wait, resolve))
      return once
    })`,
  },
  {
    name: 'sends from all tabs at once',
    file: local('transport/send-loop.ts'),
    replace: 'const outcome = await locks.request(lock, () => withDatabaseRetry(db, () => queue.sendNext()))',
    by: 'const outcome = await withDatabaseRetry(db, () => queue.sendNext()); void lock',
  },
  {
    name: 'replaces a newer cart with an older one',
    file: local('outbox/apply-sync-result.ts'),
    replace: 'return serverCart.id !== storedCart.cart.id || serverCart.version >= storedCart.cart.version',
    by: 'return serverCart.id !== storedCart.cart.id || serverCart.version <= storedCart.cart.version',
  },
  {
    name: 'settles mutations without storing the cart that contains them',
    file: local('outbox/apply-sync-result.ts'),
    replace: 'if (!isOtherCart && supersedes(serverCart, storedCart) &&',
    by: 'if (!isOtherCart && supersedes(serverCart, storedCart) && (await outboxRowsOf(db, key)).length === 0 &&',
  },
  {
    name: 'edits sent mutations',
    file: 'src/domain/cart/coalesce-mutations.ts',
    replace: "const unsent = queue.filter(({ state }) => state === 'new').map(({ recorded }) => recorded)",
    by: "const unsent = queue.filter(({ state }) => state !== 'rejected').map(({ recorded }) => recorded)",
  },
  {
    name: 'retries mutations under new ids',
    file: local('transport/sender.ts'),
    replace: 'const mutations = sent.rows.map((row) => row.recorded.mutation)',
    by: 'const mutations = sent.rows.map((row) => ({ ...row.recorded.mutation, id: stamp.newId() }))',
  },
  {
    name: 'sends the newest mutations first',
    file: local('outbox/sync-batch.ts'),
    replace: 'takeFitting(due.rows, batchLimitOf(sending, maxMutationsPerSync))',
    by: 'takeFitting([...due.rows].reverse(), batchLimitOf(sending, maxMutationsPerSync))',
  },
  {
    name: 'drops rejected mutations silently',
    file: local('outbox/supersede.ts'),
    replace: "else await db.outbox.update(row.seq, { state: 'rejected', rejection })",
    by: 'else await db.outbox.delete(row.seq)',
  },
  {
    name: 'treats a server error as success',
    file: local('transport/sender.ts'),
    replace: 'if (recovery) await recovery.bisectAfterServerError(deps, sent)',
    by: 'if (recovery) await deps.db.outbox.bulkDelete(sent.rows.map(({ seq }) => seq))',
  },
  {
    name: 'does not resend a lost cart',
    file: local('outbox/apply-sync-result.ts'),
    replace: 'return storedCart.id !== null && serverCart.id !== storedCart.id',
    by: 'return storedCart.id === -1 && serverCart.id !== storedCart.id',
  },
  {
    name: 'resends a lost cart without pending mutations',
    file: local('recovery/requeue-lost-cart.ts'),
    replace: '[...linesSent, ...rowsInPlace, ...corrections]',
    by: '[...linesSent]',
  },
  {
    name: 'waits too long after the clock was set back',
    file: local('outbox/sync-batch.ts'),
    replace: 'now < waitsSince ? now : nextAt',
    by: 'now < waitsSince ? nextAt : nextAt',
  },
]
