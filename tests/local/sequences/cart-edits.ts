import { isStandard } from '#domain/cart/add-ons.ts'
import type { CartPackage } from '#domain/cart/cart.ts'
import { type Change, type RecordedMutation, type SubjectKey, stampChange } from '#domain/cart/mutation.ts'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import { addLines, customiseLine } from '#local/cart.ts'
import { addLineMutation, sortLinesForAdding } from '#local/outbox/cart-to-mutations.ts'
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
import type { CartKey } from '#local/store/database.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { noContent, textChoice } from '../../domain/cart/cart-fixtures.ts'
import { nameAndYear } from '../../domain/cart/order-service-fixtures.ts'
import type { Step } from './sequence-plan.ts'
import { events, isDoomed, offered, services, shownFor } from './sequence-shop.ts'
import type { Tab } from './simulated-phone.ts'

type Person = SubjectKey & { firstName: string; lastName: string }
export type TypedTestSubject = Person & { personId: string; number: number; jobId: number }
export type RemovedLines = { removed: CartPackage[]; served: RecordedMutation[] }

/** What the customer sees and remembers as they make an edit. */
export type EditContext = { key: CartKey; view: CartView; typed: TypedTestSubject[]; taken: RemovedLines | null }

/**
 * An edit under way. `saying`: what the customer is told with its success, as changes that any cart can be folded of; `issued` are the
 * ids the tab gave meanwhile.
 */
export type Edit = {
  done: Promise<{ ok: boolean; problem?: string } | undefined>
  saying: (issued: readonly string[]) => RecordedMutation[]
  /** What the customer knows once it is saved. */
  learned?: (issued: readonly string[]) => void
}

export type EditStep = Step & { do: 'edit' }

const asSaid = { now: () => '2027-04-01T10:00:00.000Z', newId: () => '00000000-0000-4000-8000-000000000000' }
const recorded = (change: Change, snapshot: RecordedMutation['snapshot'] = null): RecordedMutation => ({
  mutation: stampChange(change, asSaid),
  snapshot,
})

const texts = ['Ada', 'Grace', 'Bo', '', 'Team']
const names = ['Bo', 'Bodil', 'Kim', 'Mo', 'Sam']

const picked = <Value>(values: readonly Value[], pick: number): Value | undefined => values[pick % values.length]

/** Begins an edit on what is seen; nothing where there is nothing to edit. */
export const beginEdit = (
  tab: Tab,
  step: EditStep,
  seen: EditContext,
  remember: (taken: RemovedLines | null) => void,
): Edit | null => {
  const { db, stamp } = tab
  const { key, view, typed, taken } = seen
  const line = picked(view.cart.cartPackages, step.pick)
  const people: readonly Person[] =
    key.orderMethod === 'prepay'
      ? typed.filter((one) => one.jobId === key.jobId)
      : (events.find((one) => one.jobId === key.jobId)?.subjects ?? [])
  const whom = picked(people, step.pick)
  const owner = whom && { subjectId: whom.personId === null ? whom.subjectId : null, personId: whom.personId }

  const takeOut = (removing: Promise<RemovalResult>, change: Change): Edit => ({
    done: removing.then((removed) => {
      if (removed.ok) remember(removed)
      return removed
    }),
    saying: () => [recorded(change)],
  })

  if (step.what === 'add') {
    const of = picked(offered, step.amount * 7 + step.pick)
    if (!whom || !owner || !of) return null
    const snapshot = shownFor(of, whom)
    const content = { ...noContent, textNodes: [textChoice(21, texts[step.amount] ?? '')] }
    const quantity = 1 + (step.amount % 3)
    return {
      done: addLines(db, stamp, { ...key, lines: [{ snapshot, ...owner, quantity, content }] }),
      saying: ([lineId = '']) => {
        const made = { packageId: of.id, packageVersion: of.version }
        return [recorded({ do: 'line.add', lineId, ...made, ...owner, quantity, ...content }, snapshot)]
      },
    }
  }
  if (step.what === 'quantity' && line) {
    const change = { lineId: line.lineId, quantity: step.amount }
    const done = setQuantity(db, stamp, { ...key, ...change })
    return { done, saying: () => [recorded({ do: 'line.quantity', ...change })] }
  }
  if (step.what === 'text' && line) {
    const content = { ...noContent, textNodes: [textChoice(21, texts[step.amount] ?? '')] }
    const { lineId } = line
    const done = customiseLine(db, stamp, { ...key, lineId, content })
    return { done, saying: () => [recorded({ do: 'line.customise', lineId, ...content })] }
  }
  if (step.what === 'remove' && line) {
    const { lineId } = line
    return takeOut(removeLine(db, stamp, { ...key, lineId }), { do: 'line.remove', lineId })
  }
  if (step.what === 'clear' && step.amount < 2) return takeOut(clearCart(db, stamp, key), { do: 'cart.clear' })
  if (step.what === 'undo' && taken) {
    remember(null)
    const now = taken.removed.map((one) => asNamedNow(one, typed))
    const lines = sortLinesForAdding(now).map((one) => addLineMutation(one, asSaid))
    const standards = now.filter(isStandard).length
    const inOrder = [...lines, ...taken.served]
    const mixed = [...lines.slice(0, standards), ...taken.served, ...lines.slice(standards)]
    const goes = replayMutations(view.cart, inOrder).refused.length === 0
    return { done: undoRemoval(db, stamp, { ...key, ...taken }), saying: () => (goes ? inOrder : mixed) }
  }
  // Whether one stands for somebody who has nothing else, nobody can say beforehand: it depends on what arrives first.
  if (step.what === 'service' && line && !isDoomed(line.packageId)) {
    const { subjectId, personId } = line
    const of = { subjectId: personId === null ? subjectId : null, personId }
    const snapshot = picked(services, step.amount)
    if (!snapshot) return null
    const personalization = snapshot.service.kind === 'personalization' ? nameAndYear(names[step.pick % 5]) : null
    const { orderServiceId, price } = snapshot.service
    const done = setOrderService(db, stamp, { ...key, for: { ...of, imageLookupId: null }, snapshot, personalization })
    const change = { do: 'service.set', ...of, imageLookupId: null, orderServiceId, personalization, price } as const
    return { done, saying: () => [recorded(change, snapshot)] }
  }
  const entry = picked(cartServicesOf(view.cart), step.pick)
  if (step.what === 'unservice' && entry) {
    const { subjectId, personId, orderServiceId, imageLookupId = null } = entry
    const service = { subjectId: personId === null ? subjectId : null, personId, orderServiceId, imageLookupId }
    return takeOut(removeOrderService(db, stamp, { ...key, key: service }), { do: 'service.remove', ...service })
  }
  if (step.what === 'person' && key.orderMethod === 'prepay') {
    const firstName = names[step.amount] ?? 'Bo'
    const told = { firstName, lastName: 'Ek', dataFields: [] }
    const known =
      step.pick % 3 > 0
        ? picked(
            typed.filter((one) => one.jobId === key.jobId),
            step.pick,
          )
        : undefined
    if (known)
      return {
        done: updateTypedSubject(db, stamp, { ...key, number: known.number, typed: told }),
        saying: () => [recorded({ do: 'person.set', personId: known.personId, ...told })],
        learned: () => Object.assign(known, { firstName }),
      }
    return {
      done: addTypedSubject(db, stamp, { ...key, typed: told }),
      saying: ([personId = '']) => [recorded({ do: 'person.set', personId, ...told })],
      learned: ([personId = '']) =>
        void typed.push({ personId, number: 0, jobId: key.jobId, subjectId: null, firstName, lastName: 'Ek' }),
    }
  }
  return null
}

const asNamedNow = (line: CartPackage, typed: readonly TypedTestSubject[]): CartPackage => {
  const person = typed.find((one) => one.personId === line.personId)
  if (!person) return line
  const { firstName, lastName } = person
  return { ...line, snapshot: { ...line.snapshot, subject: { ...line.snapshot.subject, firstName, lastName } } }
}
