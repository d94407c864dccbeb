import { isStandard } from '#domain/cart/add-ons.ts'
import type { CartPackage } from '#domain/cart/cart.ts'
import { type Change, type RecordedMutation, type SubjectKey, stampChange } from '#domain/cart/mutation.ts'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import { addLines, customiseLine } from '#local/cart.ts'
import { restoreLineMutations, sortLinesForAdding } from '#local/outbox/cart-to-mutations.ts'
import { addTypedSubject, updateTypedSubject } from '#local/outbox/edit-typed-subject.ts'
import { setOrderService } from '#local/outbox/set-order-service.ts'
import {
  clearCart,
  type RemovalResult,
  removeLine,
  removeOrderService,
  undoRemoval,
} from '#local/outbox/undoable-removals.ts'
import type { CartView } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/rows.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { noContent, textChoice } from '#tests/domain/cart/cart-fixtures.ts'
import { nameAndYear } from '#tests/domain/cart/order-service-fixtures.ts'
import type { Step } from './sequence-plan.ts'
import { isDoomed, jobs, lineSnapshotFor, offered, services } from './sequence-shop.ts'
import type { Tab } from './simulated-phone.ts'

type TestSubject = SubjectKey & { firstName: string; lastName: string }
export type TypedTestSubject = TestSubject & { personId: string; number: number; jobId: number }
export type RemovedLines = { removed: CartPackage[]; services: RecordedMutation[] }

/** What the customer sees and remembers as they make an edit. */
export type EditContext = {
  key: CartKey
  view: CartView
  typedSubjects: TypedTestSubject[]
  lastRemoval: RemovedLines | null
}

/**
 * An edit in progress. `expectedChanges`: the changes that the screen confirms if it succeeds, to be replayed on any
 * cart; `issued`: the ids that the tab generated meanwhile.
 */
export type Edit = {
  done: Promise<{ ok: boolean; problem?: string } | undefined>
  expectedChanges: (issued: readonly string[]) => RecordedMutation[]
  /** Updates what the customer knows, once the edit is saved. */
  onSaved?: (issued: readonly string[]) => void
}

export type EditStep = Step & { do: 'edit' }

const fixedStamp = { now: () => '2027-04-01T10:00:00.000Z', newId: () => '00000000-0000-4000-8000-000000000000' }
const recorded = (change: Change, snapshot: RecordedMutation['snapshot'] = null): RecordedMutation => ({
  mutation: stampChange(change, fixedStamp),
  snapshot,
})

const texts = ['Ada', 'Grace', 'Bo', '', 'Team']
const names = ['Bo', 'Bodil', 'Kim', 'Mo', 'Sam']

const choose = <Value>(values: readonly Value[], pick: number): Value | undefined => values[pick % values.length]

/** Begins an edit of the visible cart; returns null if there is nothing to edit. */
export const beginEdit = (
  tab: Tab,
  step: EditStep,
  context: EditContext,
  remember: (lastRemoval: RemovedLines | null) => void,
): Edit | null => {
  const { db, stamp } = tab
  const { key, view, typedSubjects, lastRemoval } = context
  const line = choose(view.cart.cartPackages, step.pick)
  const subjects: readonly TestSubject[] =
    key.orderMethod === 'prepay'
      ? typedSubjects.filter((candidate) => candidate.jobId === key.jobId)
      : (jobs.find((job) => job.jobId === key.jobId)?.subjects ?? [])
  const subject = choose(subjects, step.pick)
  const subjectKey = subject && {
    subjectId: subject.personId === null ? subject.subjectId : null,
    personId: subject.personId,
  }

  const removal = (removing: Promise<RemovalResult>, change: Change): Edit => ({
    done: removing.then((removed) => {
      if (removed.ok) remember(removed)
      return removed
    }),
    expectedChanges: () => [recorded(change)],
  })

  if (step.what === 'add') {
    const packageVersion = choose(offered, step.amount * 7 + step.pick)
    if (!subject || !subjectKey || !packageVersion) return null
    const snapshot = lineSnapshotFor(packageVersion, subject)
    const content = { ...noContent, textNodes: [textChoice(21, texts[step.amount] ?? '')] }
    const quantity = 1 + (step.amount % 3)
    return {
      done: addLines(db, stamp, { ...key, lines: [{ snapshot, ...subjectKey, quantity, content }] }),
      expectedChanges: ([lineId = '']) => {
        const packageKey = { packageId: packageVersion.id, packageVersion: packageVersion.version }
        return [recorded({ do: 'line.add', lineId, ...packageKey, ...subjectKey, quantity, ...content }, snapshot)]
      },
    }
  }
  if (step.what === 'quantity' && line) {
    const change = { lineId: line.lineId, quantity: step.amount }
    const done = setQuantity(db, stamp, { ...key, ...change })
    return { done, expectedChanges: () => [recorded({ do: 'line.quantity', ...change })] }
  }
  if (step.what === 'text' && line) {
    const content = { ...noContent, textNodes: [textChoice(21, texts[step.amount] ?? '')] }
    const { lineId } = line
    const done = customiseLine(db, stamp, { ...key, lineId, content })
    return { done, expectedChanges: () => [recorded({ do: 'line.customise', lineId, ...content })] }
  }
  if (step.what === 'remove' && line) {
    const { lineId } = line
    return removal(removeLine(db, stamp, { ...key, lineId }), { do: 'line.remove', lineId })
  }
  if (step.what === 'clear' && step.amount < 2) return removal(clearCart(db, stamp, key), { do: 'cart.clear' })
  if (step.what === 'undo' && lastRemoval) {
    remember(null)
    const renamedLines = lastRemoval.removed.map((removedLine) => withCurrentName(removedLine, typedSubjects))
    const lines = sortLinesForAdding(renamedLines).flatMap((renamedLine) =>
      restoreLineMutations(renamedLine, fixedStamp),
    )
    const standards = renamedLines.filter(isStandard).length
    const linesFirst = [...lines, ...lastRemoval.services]
    const servicesBetween = [...lines.slice(0, standards), ...lastRemoval.services, ...lines.slice(standards)]
    const isAccepted = replayMutations(view.cart, linesFirst).rejected.length === 0
    return {
      done: undoRemoval(db, stamp, { ...key, ...lastRemoval }),
      expectedChanges: () => (isAccepted ? linesFirst : servicesBetween),
    }
  }
  // Not for a doomed line: whether its subject has another line when the service arrives cannot be predicted.
  if (step.what === 'service' && line && !isDoomed(line.packageId)) {
    const { subjectId, personId } = line
    const serviceSubject = { subjectId: personId === null ? subjectId : null, personId }
    const snapshot = choose(services, step.amount)
    if (!snapshot) return null
    const personalization = snapshot.service.kind === 'personalization' ? nameAndYear(names[step.pick % 5]) : null
    const { orderServiceId, price } = snapshot.service
    const done = setOrderService(db, stamp, {
      ...key,
      target: { ...serviceSubject, imageLookupId: null },
      snapshot,
      personalization,
    })
    const change = {
      do: 'service.set',
      ...serviceSubject,
      imageLookupId: null,
      orderServiceId,
      personalization,
      price,
    } as const
    return { done, expectedChanges: () => [recorded(change, snapshot)] }
  }
  const entry = choose(cartServicesOf(view.cart), step.pick)
  if (step.what === 'unservice' && entry) {
    const { subjectId, personId, orderServiceId, imageLookupId = null } = entry
    const service = { subjectId: personId === null ? subjectId : null, personId, orderServiceId, imageLookupId }
    return removal(removeOrderService(db, stamp, { ...key, key: service }), { do: 'service.remove', ...service })
  }
  if (step.what === 'person' && key.orderMethod === 'prepay') {
    const firstName = names[step.amount] ?? 'Bo'
    const typedFields = { firstName, lastName: 'Ek', dataFields: [] }
    const existing =
      step.pick % 3 > 0
        ? choose(
            typedSubjects.filter((candidate) => candidate.jobId === key.jobId),
            step.pick,
          )
        : undefined
    if (existing)
      return {
        done: updateTypedSubject(db, stamp, { ...key, number: existing.number, typed: typedFields }),
        expectedChanges: () => [recorded({ do: 'person.set', personId: existing.personId, ...typedFields })],
        onSaved: () => Object.assign(existing, { firstName }),
      }
    return {
      done: addTypedSubject(db, stamp, { ...key, typed: typedFields }),
      expectedChanges: ([personId = '']) => [recorded({ do: 'person.set', personId, ...typedFields })],
      onSaved: ([personId = '']) =>
        void typedSubjects.push({ personId, number: 0, jobId: key.jobId, subjectId: null, firstName, lastName: 'Ek' }),
    }
  }
  return null
}

const withCurrentName = (line: CartPackage, typedSubjects: readonly TypedTestSubject[]): CartPackage => {
  const typedSubject = typedSubjects.find((candidate) => candidate.personId === line.personId)
  if (!typedSubject) return line
  const { firstName, lastName } = typedSubject
  return { ...line, snapshot: { ...line.snapshot, subject: { ...line.snapshot.subject, firstName, lastName } } }
}
