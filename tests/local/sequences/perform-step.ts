import type { RecordedMutation } from '#domain/cart/mutation.ts'
import { isSameTarget } from '#domain/cart/mutations.ts'
import { discardRejected, retryRejected } from '#local/outbox/rejected-mutations.ts'
import type { RejectedMutation } from '#local/store/cart-view.ts'
import type { OutboxRow } from '#local/store/rows.ts'
import { seededRandom } from '#support/network/fault-plans.ts'
import { beginEdit, type EditContext, type EditStep } from './cart-edits.ts'
import { type ExpectedChanges, matchesExpected, rejectedLinesOf } from './expected-cart.ts'
import type { Step } from './sequence-plan.ts'
import {
  cartOfPick,
  checkShownCart,
  expectedOf,
  fail,
  kill,
  type Run,
  readShownCart,
  reopenTab,
} from './sequence-run.ts'
import { turn } from './simulated-platform.ts'
import { settleWithoutTime } from './simulated-time.ts'

const edit = async (run: Run, step: EditStep): Promise<void> => {
  const { phone, tabs, log } = run
  const tab = tabs[step.tabIndex]
  const key = cartOfPick(step.cart)
  const expected = expectedOf(run, key)
  const view = await readShownCart(run, key)
  checkShownCart(run, expected, view)
  const context: EditContext = {
    key,
    view,
    typedSubjects: run.typedSubjects,
    lastRemoval: run.lastRemovals.get(expected.key) ?? null,
  }
  if (step.what === 'retry' || step.what === 'discard') {
    const rejection = view.rejected[step.pick % view.rejected.length]
    if (rejection && step.what === 'retry') await retry(run, expected, rejection)
    else if (rejection) {
      log(`${tab.name}, ${key.orderMethod} of ${key.jobId}: discards ${rejection.lineId}`)
      await settleWithoutTime(discardRejected(tab.db, rejection.mutationId))
      run.discardedLines.add(rejection.lineId)
    }
    return await editInstead(run, step)
  }
  tab.issued.length = 0
  const editInProgress = beginEdit(tab, step, context, (lastRemoval) => run.lastRemovals.set(expected.key, lastRemoval))
  if (!editInProgress) return await editInstead(run, step)
  let isApplied = true
  if (step.killed === null) {
    const result = await settleWithoutTime(editInProgress.done)
    if (!result?.ok && (result?.problem === 'device-failed' || !result)) fail(`an edit failed: ${result?.problem}`)
    isApplied = result?.ok ?? false
  } else {
    editInProgress.done.catch(() => {})
    for (let turns = 0; turns < step.killed; turns += 1) await turn()
    kill(run, step.tabIndex)
    isApplied = await wasApplied(run, expected, editInProgress.expectedChanges(tab.issued))
    tabs[step.tabIndex] = reopenTab(phone, step.tabIndex)
  }
  const changes = editInProgress
    .expectedChanges(tab.issued)
    .map(({ mutation: { id: _, v: __, at: ___, ...change } }) => change)
  log(
    `${tab.name}, ${key.orderMethod} of ${key.jobId}: ${isApplied ? '' : 'without effect: '}${changes.map(summaryOf).join(', ')}`,
  )
  if (!isApplied) return step.killed === null ? await editInstead(run, step) : undefined
  run.editCount += 1
  expected.changes.push(...editInProgress.expectedChanges(tab.issued))
  // A discarded line whose removal is undone is wanted again.
  for (const { mutation } of editInProgress.expectedChanges(tab.issued))
    if (mutation.do === 'line.add') run.discardedLines.delete(mutation.lineId)
  editInProgress.onSaved?.(tab.issued)
  for (const subject of run.typedSubjects) {
    if (subject.number !== 0) continue
    const row = await settleWithoutTime(run.probe.db.people.where('personId').equals(subject.personId).first())
    subject.number = -(row?.n ?? 0)
  }
  if (step.killed === null) void tab.sender.wake('mutation')
}

/** Retries a rejected mutation as the customer does, and expects it to be sent after all others. */
export const retry = async (
  { tabs: [tab], probe, log }: Run,
  expected: ExpectedChanges,
  { mutationId }: RejectedMutation,
): Promise<void> => {
  const row = await settleWithoutTime(probe.db.outbox.where('mutationId').equals(mutationId).first())
  if (!row) return
  const { mutation } = row.recorded
  const isOfLine = (candidate: OutboxRow): boolean => row.lineId !== null && candidate.lineId === row.lineId
  const isClearing = (other: OutboxRow): boolean =>
    other.recorded.mutation.do === 'cart.clear' && other.jobId === row.jobId && other.orderMethod === row.orderMethod
  const readPending = () => settleWithoutTime(probe.db.outbox.where('state').anyOf('new', 'sent').toArray())
  const pendingBefore = await readPending()
  // Does not retry while another row of the line is pending, which would be sent first and be rejected too, nor while
  // a clear is pending, which has also removed the line's later changes.
  if (row.lineId !== null && pendingBefore.some((pendingRow) => isOfLine(pendingRow) || isClearing(pendingRow))) return
  log(`${tab.name} retries: ${summaryOf(mutation)}`)
  await settleWithoutTime(retryRejected(tab.db, tab.stamp, mutationId))
  // A mutation that the cart cannot contain now stays rejected; one that was just superseded is deleted.
  const idsBefore = new Set(pendingBefore.map((pendingRow) => pendingRow.mutationId))
  const isRetried = (candidate: OutboxRow): boolean =>
    isOfLine(candidate) || isSameTarget(candidate.recorded.mutation, mutation)
  if (!(await readPending()).some((pendingRow) => !idsBefore.has(pendingRow.mutationId) && isRetried(pendingRow)))
    return
  const added = expected.changes.find(
    (change) => change.mutation.do === 'line.add' && change.mutation.lineId === row.lineId,
  )
  const personId = added && 'personId' in added.mutation ? added.mutation.personId : null
  // A retried line carries the current name of its subject.
  const isOfPerson = (recorded: RecordedMutation): boolean =>
    personId !== null && recorded.mutation.do === 'person.set' && recorded.mutation.personId === personId
  const isAffected = (recorded: RecordedMutation) =>
    'lineId' in mutation
      ? ('lineId' in recorded.mutation && recorded.mutation.lineId === mutation.lineId) || isOfPerson(recorded)
      : isSameTarget(mutation, recorded.mutation)
  expected.changes.sort((a, b) => Number(isAffected(a)) - Number(isAffected(b)))
}

const summaryOf = (change: object): string =>
  Object.entries(change)
    .filter(([, value]) => value !== null && !Array.isArray(value))
    .map(([name, value]) => (name === 'do' ? value : `${name} ${String(value).slice(0, 8)}`))
    .join(' ')

/** Performs an edit that is always possible, in place of one that is rejected or has nothing to edit. */
const editInstead = async (run: Run, step: EditStep): Promise<void> => {
  const hasSubject = cartOfPick(step.cart).orderMethod === 'gallery' || run.typedSubjects.length > 0
  await edit(run, { ...step, what: hasSubject ? 'add' : 'person', pick: 0, amount: hasSubject ? 0 : step.amount })
}

/** Whether an edit with an unknown outcome was applied. */
const wasApplied = async (
  run: Run,
  expected: ExpectedChanges,
  changes: ExpectedChanges['changes'],
): Promise<boolean> => {
  const view = await readShownCart(run, expected.key)
  const rejected = new Set([...rejectedLinesOf(view), ...run.discardedLines])
  const withChanges = { ...expected, changes: [...expected.changes, ...changes] }
  const subjectChange = changes.find(({ mutation }) => mutation.do === 'person.set')?.mutation
  if (subjectChange && 'personId' in subjectChange) {
    const row = await settleWithoutTime(
      run.probe.db.people
        .where('personId')
        .equals(subjectChange.personId ?? '')
        .first(),
    )
    return row !== undefined && 'firstName' in subjectChange && row.firstName === subjectChange.firstName
  }
  return matchesExpected(view.cart, withChanges, rejected) && changes.length > 0
}

export const performStep = async (run: Run, step: Step): Promise<void> => {
  const { phone, tabs, log } = run
  phone.random = seededRandom(step.seed)
  if (step.do === 'edit') return await edit(run, step)
  if (step.do === 'pass') {
    log(`${step.milliseconds} ms pass`)
    return await phone.time.pass(step.milliseconds)
  }
  if (step.do === 'fault') {
    log(`the fault of the next request: ${step.fault}`)
    phone.server.faults.push(step.fault)
    for (const tab of tabs) void tab.sender.wake('tap')
  }
  if (step.do === 'wake') {
    log(`${tabs[step.tabIndex].name} is woken: ${step.reason}`)
    void tabs[step.tabIndex].sender.wake(step.reason)
  }
  if (step.do === 'clock') {
    // A changed clock can do harm only while a retry is scheduled.
    phone.server.faults.push('cut-before')
    for (const tab of tabs) void tab.sender.wake('tap')
    await phone.time.pass(1_500)
    log(`the clock jumps by ${step.by} ms`)
    phone.clockAhead += step.by
  }
  if (step.do !== 'kill' && step.do !== 'die') return
  void tabs[step.tabIndex].sender.wake('tap')
  for (let turns = 0; turns < step.within; turns += 1) await turn()
  if (step.do === 'die') {
    log(`the database of ${tabs[step.tabIndex].name} dies`)
    tabs[step.tabIndex].die()
  } else {
    kill(run, step.tabIndex)
    tabs[step.tabIndex] = reopenTab(phone, step.tabIndex)
  }
}
