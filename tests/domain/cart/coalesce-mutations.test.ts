import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyCart } from '#domain/cart/cart.ts'
import { applyCoalescePlan, coalesceMutation, type QueuedMutation } from '#domain/cart/coalesce-mutations.ts'
import type { Change, RecordedMutation } from '#domain/cart/mutation.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import {
  added,
  addOn,
  cartAfter,
  imageChoice,
  imageNode,
  noContent,
  packageItem,
  packageOf,
  recorded,
  textChoice,
  textNode,
} from './cart-fixtures.ts'
import { confirmedCart, mutations } from './random-mutations.ts'

const standard = packageOf({ id: 100, retailCost: 25 })
const extra = addOn(200, {})
const pricey = addOn(202, { type: 'addon_price', requiredMinPrice: 50 })
const empty = emptyCart(1, 'gallery')
const inCart = cartAfter(added(standard, 'a', 2))

const asNew = (recorded: RecordedMutation): QueuedMutation => ({ recorded, state: 'new' })
const asSent = (recorded: RecordedMutation): QueuedMutation => ({ recorded, state: 'sent' })
const quantity = (lineId: string, to: number) => recorded({ do: 'line.quantity', lineId, quantity: to })
const customise = (lineId: string, content: Partial<Change & { do: 'line.customise' }>) =>
  recorded({ do: 'line.customise', lineId, ...noContent, ...content })
const remove = (lineId: string) => recorded({ do: 'line.remove', lineId })

/** The queue after enqueueing all of these, none of them sent yet. */
const enqueue = (cart: typeof empty, ...all: RecordedMutation[]): RecordedMutation[] =>
  all
    .reduce<QueuedMutation[]>((queue, next) => applyCoalescePlan(queue, coalesceMutation(cart, queue, next)), [])
    .map((one) => one.recorded)
const changesOf = (all: RecordedMutation[]) => all.map(({ mutation }) => mutation)

describe('merging unsent mutations', () => {
  test('quantities of a line are merged into the last one', () => {
    expect(changesOf(enqueue(inCart, quantity('a', 3), quantity('a', 4), quantity('a', 5)))).toMatchObject([
      { do: 'line.quantity', quantity: 5 },
    ])
  })

  test('a later quantity replaces the unsent one, past other changes of the line', () => {
    const [first, between] = [quantity('a', 3), customise('a', {})]
    const next = quantity('a', 4)
    expect(coalesceMutation(inCart, [asNew(first), asNew(between)], next)).toEqual({
      remove: [],
      put: { ...next, mutation: { ...next.mutation, id: first.mutation.id } },
    })
  })

  test('of two choices for a node only the later one is sent, and other nodes stay', () => {
    const group = packageItem({
      imageNodes: [imageNode(), imageNode({ id: 12, name: 'Image2' })],
      textNodes: [textNode(), textNode({ id: 22, name: 'Second line' })],
    })
    const cart = cartAfter(added(packageOf({ items: [group] }), 'a'))
    const all = enqueue(
      cart,
      customise('a', {
        textNodes: [textChoice(21, 'Ada'), textChoice(22, 'Lovelace')],
        imageNodes: [imageChoice(11), imageChoice(12)],
      }),
      customise('a', { textNodes: [textChoice(21, 'Grace')], imageNodes: [imageChoice(12, 502)] }),
    )
    expect(changesOf(all)).toMatchObject([
      {
        textNodes: [textChoice(22, 'Lovelace'), textChoice(21, 'Grace')],
        imageNodes: [imageChoice(11), imageChoice(12, 502)],
      },
    ])
  })

  test('customisations of a line are merged into one with all of their content', () => {
    const all = enqueue(
      inCart,
      customise('a', { textNodes: [textChoice(21, 'Ada')] }),
      customise('a', { imageNodes: [imageChoice(11)] }),
    )
    expect(changesOf(all)).toMatchObject([
      { textNodes: [{ value: 'Ada' }], imageNodes: [{ packageItemImageNodeId: 11, subjectImageId: 501 }] },
    ])
  })

  test('quantity and customisation are merged into the unsent add, in its position', () => {
    const add = added(standard, 'a')
    const all = enqueue(
      empty,
      add,
      added(extra, 'x'),
      customise('a', { textNodes: [textChoice(21, 'Ada')] }),
      quantity('a', 3),
    )
    expect(changesOf(all)).toMatchObject([
      { id: add.mutation.id, do: 'line.add', lineId: 'a', quantity: 3, textNodes: [{ value: 'Ada' }] },
      { do: 'line.add', lineId: 'x' },
    ])
  })

  test('a line removed before it was sent leaves no mutation', () => {
    expect(enqueue(inCart, added(standard, 'b'), customise('b', {}), remove('b'))).toEqual([])
    expect(enqueue(inCart, added(standard, 'b'), quantity('b', 0))).toEqual([])
  })

  test('removing an unsent line leaves the mutations of other lines unchanged', () => {
    const kept = [added(standard, 'b'), added(extra, 'x')]
    expect(enqueue(empty, ...kept, added(standard, 'c'), remove('c'))).toEqual(kept)
  })

  test('removing an unsent line also removes the mutations of add-ons dropped with it', () => {
    expect(enqueue(empty, added(standard, 'a'), added(extra, 'x'), remove('a'))).toEqual([])
  })

  test('edits of a line that is removed afterwards are not sent', () => {
    expect(changesOf(enqueue(inCart, quantity('a', 3), customise('a', {}), remove('a')))).toMatchObject([
      { do: 'line.remove', lineId: 'a' },
    ])
  })

  test('edits of add-ons that are dropped with a removed line are not sent', () => {
    const cart = cartAfter(added(standard, 'a'), added(extra, 'x'))
    expect(changesOf(enqueue(cart, quantity('x', 2), remove('a')))).toMatchObject([{ do: 'line.remove', lineId: 'a' }])
  })

  test('clearing a cart sends only the clearing, and nothing if the server does not know the cart', () => {
    expect(changesOf(enqueue(inCart, added(standard, 'b'), recorded({ do: 'cart.clear' })))).toMatchObject([
      { do: 'cart.clear' },
    ])
    expect(enqueue(empty, added(standard, 'b'), recorded({ do: 'cart.clear' }))).toEqual([])
  })

  test('clearing a cart is sent if anything was sent before, and removes all unsent mutations', () => {
    const [sent, waits] = [added(standard, 'b'), quantity('b', 2)]
    const clear = recorded({ do: 'cart.clear' })
    expect(coalesceMutation(empty, [asSent(sent), asNew(waits)], clear)).toEqual({
      remove: [waits.mutation.id],
      put: clear,
    })
  })

  test('a line added twice is sent once, in its last state', () => {
    const [first, again] = [added(standard, 'a'), added(standard, 'a', 2, { textNodes: [textChoice(21, 'Ada')] })]
    expect(changesOf(enqueue(empty, first, again))).toEqual([{ ...again.mutation, id: first.mutation.id }])
  })

  test('a mutation that the rules reject does not block merging', () => {
    const refused = quantity('nowhere', 2)
    expect(changesOf(enqueue(inCart, refused, quantity('a', 3), quantity('a', 4)))).toMatchObject([
      { lineId: 'nowhere' },
      { lineId: 'a', quantity: 4 },
    ])
  })

  test('a line removed and added again is sent in its last state', () => {
    const all = enqueue(empty, added(standard, 'a'), remove('a'), added(standard, 'a', 2))
    expect(changesOf(all)).toMatchObject([{ do: 'line.add', lineId: 'a', quantity: 2 }])
  })
})

describe('merging mutations that are not of a line', () => {
  const key = { subjectId: 7, personId: null, orderServiceId: 4, imageLookupId: null }
  const set: Change = { do: 'service.set', ...key, personalization: null, price: null }
  const off: Change = { do: 'service.remove', ...key }
  const person: Change = { do: 'person.set', personId: 'p', firstName: 'Bo', lastName: 'Ek', dataFields: [] }
  const pose: Change = { do: 'pose.set', subjectId: 7, imageId: 1 }

  test('a year-book pose is merged past other mutations of the same subject', () => {
    const [first, service, next] = [recorded(pose), recorded(set), recorded({ ...pose, imageId: 2 })]
    expect(changesOf(enqueue(inCart, first, service, next))).toEqual([
      { ...next.mutation, id: first.mutation.id },
      service.mutation,
    ])
  })

  test('clearing a cart keeps typed-in subjects and year-book poses in the queue', () => {
    const [personMutation, poseMutation] = [recorded(person), recorded(pose)]
    const clear = recorded({ do: 'cart.clear' })
    const before = [personMutation, added(standard, 'b'), recorded(set), poseMutation]
    expect(enqueue(empty, ...before, clear)).toEqual([personMutation, poseMutation])
    expect(enqueue(inCart, ...before, clear)).toEqual([personMutation, poseMutation, clear])
  })

  test.each<[string, Change, Change, boolean]>([
    ['a service taken out twice', off, off, true],
    ['another service', off, { ...off, orderServiceId: 5 }, false],
    ['the service of another person', off, { ...off, subjectId: 8 }, false],
    ['the service of another picture', off, { ...off, imageLookupId: 5 }, false],
    ['a service ordered and taken out', set, off, true],
    ['the service of a typed-in person', { ...set, personId: 'p' }, { ...off, personId: 'p', subjectId: null }, true],
    ['the service of another typed-in person', { ...set, personId: 'p' }, { ...off, personId: 'q' }, false],
    ['a person renamed', person, { ...person, firstName: 'Bodil' }, true],
    ['another person', person, { ...person, personId: 'q' }, false],
    ['another pose', pose, { ...pose, imageId: 2 }, true],
    ['the pose of another person', pose, { ...pose, subjectId: 8 }, false],
    ['a service and a pose of one person', set, pose, false],
    ['a pose and a service of one person', pose, off, false],
    ['a person and a service of theirs', person, { ...off, personId: 'p' }, false],
  ])('%s', (_name, first, second, merges) => {
    const [one, other] = [recorded(first), recorded(second)]
    const all = enqueue(inCart, one, other)
    if (merges) expect(changesOf(all)).toEqual([{ ...other.mutation, id: one.mutation.id }])
    else expect(all).toEqual([one, other])
  })
})

describe('not merging', () => {
  test('a sent mutation is never merged into', () => {
    const add = added(standard, 'a')
    const next = quantity('a', 3)
    expect(coalesceMutation(empty, [asSent(add)], next)).toEqual({ remove: [], put: next })
    expect(coalesceMutation(empty, [asSent(add)], remove('a')).put?.mutation).toMatchObject({ do: 'line.remove' })
  })

  test('a quantity is not merged if an add-on was dropped in between, which must not reappear', () => {
    const cart = cartAfter(added(standard, 'a', 2), added(pricey, 'x'))
    const all = enqueue(cart, quantity('a', 1), quantity('a', 2))
    expect(changesOf(all)).toMatchObject([{ quantity: 1 }, { quantity: 2 }])
    expect(replayMutations(cart, all).cart.cartPackages.map((line) => line.lineId)).toEqual(['a'])
  })

  test('rejected mutations do not change whether a quantity is merged', () => {
    const cart = cartAfter(added(standard, 'a', 2), added(pricey, 'x'))
    const queue: QueuedMutation[] = [{ recorded: remove('x'), state: 'refused' }, asNew(quantity('a', 1))]
    const next = quantity('a', 2)
    expect(coalesceMutation(cart, queue, next)).toEqual({ remove: [], put: next })
  })

  test('a quantity is not merged if an add-on in between needed it', () => {
    const all = enqueue(
      inCart,
      quantity('a', 3),
      added(addOn(203, { type: 'addon_price', requiredMinPrice: 75 }), 'x'),
      quantity('a', 1),
    )
    expect(replayMutations(inCart, all).refused).toEqual([])
  })
})

describe('for any cart and any queue', () => {
  const states = fc.array(fc.constantFrom('new', 'sent', 'refused'), { minLength: 12, maxLength: 12 })
  const folded = (cart: typeof empty, queue: readonly QueuedMutation[]) =>
    replayMutations(
      cart,
      queue.filter((one) => one.state !== 'refused').map((one) => one.recorded),
    )

  const lastTyped = (all: readonly RecordedMutation[]) =>
    new Map(
      changesOf([...all]).flatMap((one) => (one.do === 'person.set' ? [[one.personId, one.firstName] as const] : [])),
    )

  test('coalescing leaves the resulting cart the same, rejects nothing more, touches no sent mutation, and adds at most one', () => {
    fc.assert(
      fc.property(confirmedCart, mutations, states, (cart, all, stateOf) => {
        fc.pre(all.length > 0)
        const queue = all
          .slice(0, -1)
          .map((one, index): QueuedMutation => ({ recorded: one, state: stateOf[index] ?? 'new' }))
        const next = all.at(-1) as RecordedMutation // not empty, by the precondition
        const coalesced = coalesceMutation(cart, queue, next)
        const short = applyCoalescePlan(queue, coalesced)
        const long = [...queue, asNew(next)]
        expect(folded(cart, short).cart).toEqual(folded(cart, long).cart)
        const refused = folded(cart, long).refused.map((one) => one.mutationId)
        for (const { mutationId } of folded(cart, short).refused) expect(refused).toContain(mutationId)
        for (const one of queue) if (one.state !== 'new') expect(short).toContain(one)
        expect(short.length).toBeLessThanOrEqual(long.length)
      }),
      { numRuns: 1000 },
    )
  })

  test('coalescing each mutation in turn results in the same cart as all of them', () => {
    fc.assert(
      fc.property(confirmedCart, mutations, (cart, all) => {
        const short = enqueue(cart, ...all)
        expect(replayMutations(cart, short).cart).toEqual(replayMutations(cart, all).cart)
        expect(short.length).toBeLessThanOrEqual(all.length)
        expect(lastTyped(short)).toEqual(lastTyped(all))
      }),
      { numRuns: 1000 },
    )
  })
})
