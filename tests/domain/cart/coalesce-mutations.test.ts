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
const plainAddOn = addOn(200, {})
const addOnWithMinimum = addOn(202, { type: 'addon_price', requiredMinPrice: 50 })
const empty = emptyCart(1, 'gallery')
const inCart = cartAfter(added(standard, 'a', 2))

const asNew = (recorded: RecordedMutation): QueuedMutation => ({ recorded, state: 'new' })
const asSent = (recorded: RecordedMutation): QueuedMutation => ({ recorded, state: 'sent' })
const quantity = (lineId: string, newQuantity: number) =>
  recorded({ do: 'line.quantity', lineId, quantity: newQuantity })
const customise = (lineId: string, content: Partial<Change & { do: 'line.customise' }>) =>
  recorded({ do: 'line.customise', lineId, ...noContent, ...content })
const remove = (lineId: string) => recorded({ do: 'line.remove', lineId })

/** The queue after enqueueing all of these, none of them sent yet. */
const enqueue = (cart: typeof empty, ...recordedMutations: RecordedMutation[]): RecordedMutation[] =>
  recordedMutations
    .reduce<QueuedMutation[]>((queue, next) => applyCoalescePlan(queue, coalesceMutation(cart, queue, next)), [])
    .map((queued) => queued.recorded)
const changesOf = (recordedMutations: RecordedMutation[]) => recordedMutations.map(({ mutation }) => mutation)

describe('merging unsent mutations', () => {
  test('quantities of a line are merged into the last one', () => {
    expect(changesOf(enqueue(inCart, quantity('a', 3), quantity('a', 4), quantity('a', 5)))).toMatchObject([
      { do: 'line.quantity', quantity: 5 },
    ])
  })

  test('a later quantity replaces the unsent one, past other changes of the line', () => {
    const [first, customisation] = [quantity('a', 3), customise('a', {})]
    const next = quantity('a', 4)
    expect(coalesceMutation(inCart, [asNew(first), asNew(customisation)], next)).toEqual({
      remove: [],
      put: { ...next, mutation: { ...next.mutation, id: first.mutation.id } },
    })
  })

  test('of two choices for a node only the later one is sent, and other nodes stay', () => {
    const item = packageItem({
      imageNodes: [imageNode(), imageNode({ id: 12, name: 'Image2' })],
      textNodes: [textNode(), textNode({ id: 22, name: 'Second line' })],
    })
    const cart = cartAfter(added(packageOf({ items: [item] }), 'a'))
    const enqueued = enqueue(
      cart,
      customise('a', {
        textNodes: [textChoice(21, 'Ada'), textChoice(22, 'Lovelace')],
        imageNodes: [imageChoice(11), imageChoice(12)],
      }),
      customise('a', { textNodes: [textChoice(21, 'Grace')], imageNodes: [imageChoice(12, 502)] }),
    )
    expect(changesOf(enqueued)).toMatchObject([
      {
        textNodes: [textChoice(22, 'Lovelace'), textChoice(21, 'Grace')],
        imageNodes: [imageChoice(11), imageChoice(12, 502)],
      },
    ])
  })

  test('customisations of a line are merged into one with all of their content', () => {
    const enqueued = enqueue(
      inCart,
      customise('a', { textNodes: [textChoice(21, 'Ada')] }),
      customise('a', { imageNodes: [imageChoice(11)] }),
    )
    expect(changesOf(enqueued)).toMatchObject([
      { textNodes: [{ value: 'Ada' }], imageNodes: [{ packageItemImageNodeId: 11, subjectImageId: 501 }] },
    ])
  })

  test('quantity and customisation are merged into the unsent add, in its position', () => {
    const add = added(standard, 'a')
    const enqueued = enqueue(
      empty,
      add,
      added(plainAddOn, 'x'),
      customise('a', { textNodes: [textChoice(21, 'Ada')] }),
      quantity('a', 3),
    )
    expect(changesOf(enqueued)).toMatchObject([
      { id: add.mutation.id, do: 'line.add', lineId: 'a', quantity: 3, textNodes: [{ value: 'Ada' }] },
      { do: 'line.add', lineId: 'x' },
    ])
  })

  test('a line removed before it was sent leaves no mutation', () => {
    expect(enqueue(inCart, added(standard, 'b'), customise('b', {}), remove('b'))).toEqual([])
    expect(enqueue(inCart, added(standard, 'b'), quantity('b', 0))).toEqual([])
  })

  test('removing an unsent line leaves the mutations of other lines unchanged', () => {
    const otherMutations = [added(standard, 'b'), added(plainAddOn, 'x')]
    expect(enqueue(empty, ...otherMutations, added(standard, 'c'), remove('c'))).toEqual(otherMutations)
  })

  test('removing an unsent line also removes the mutations of add-ons dropped with it', () => {
    expect(enqueue(empty, added(standard, 'a'), added(plainAddOn, 'x'), remove('a'))).toEqual([])
  })

  test('edits of a line that is removed afterwards are not sent', () => {
    expect(changesOf(enqueue(inCart, quantity('a', 3), customise('a', {}), remove('a')))).toMatchObject([
      { do: 'line.remove', lineId: 'a' },
    ])
  })

  test('edits of add-ons that are dropped with a removed line are not sent', () => {
    const cart = cartAfter(added(standard, 'a'), added(plainAddOn, 'x'))
    expect(changesOf(enqueue(cart, quantity('x', 2), remove('a')))).toMatchObject([{ do: 'line.remove', lineId: 'a' }])
  })

  test('clearing a cart sends only the clearing, and nothing if the server does not know the cart', () => {
    expect(changesOf(enqueue(inCart, added(standard, 'b'), recorded({ do: 'cart.clear' })))).toMatchObject([
      { do: 'cart.clear' },
    ])
    expect(enqueue(empty, added(standard, 'b'), recorded({ do: 'cart.clear' }))).toEqual([])
  })

  test('clearing a cart is sent if anything was sent before, and removes all unsent mutations', () => {
    const [sent, unsent] = [added(standard, 'b'), quantity('b', 2)]
    const clear = recorded({ do: 'cart.clear' })
    expect(coalesceMutation(empty, [asSent(sent), asNew(unsent)], clear)).toEqual({
      remove: [unsent.mutation.id],
      put: clear,
    })
  })

  test('a line added twice is sent once, in its last state', () => {
    const [first, secondAdd] = [added(standard, 'a'), added(standard, 'a', 2, { textNodes: [textChoice(21, 'Ada')] })]
    expect(changesOf(enqueue(empty, first, secondAdd))).toEqual([{ ...secondAdd.mutation, id: first.mutation.id }])
  })

  test('a mutation that the rules reject does not block merging', () => {
    const rejected = quantity('nowhere', 2)
    expect(changesOf(enqueue(inCart, rejected, quantity('a', 3), quantity('a', 4)))).toMatchObject([
      { lineId: 'nowhere' },
      { lineId: 'a', quantity: 4 },
    ])
  })

  test('a line removed and added again is sent in its last state', () => {
    const enqueued = enqueue(empty, added(standard, 'a'), remove('a'), added(standard, 'a', 2))
    expect(changesOf(enqueued)).toMatchObject([{ do: 'line.add', lineId: 'a', quantity: 2 }])
  })
})

describe('merging mutations that are not of a line', () => {
  const key = { subjectId: 7, personId: null, orderServiceId: 4, imageLookupId: null }
  const setService: Change = { do: 'service.set', ...key, personalization: null, price: null }
  const removeService: Change = { do: 'service.remove', ...key }
  const person: Change = { do: 'person.set', personId: 'p', firstName: 'Bo', lastName: 'Ek', dataFields: [] }
  const pose: Change = { do: 'pose.set', subjectId: 7, imageId: 1 }

  test('a year-book pose is merged past other mutations of the same subject', () => {
    const [first, service, next] = [recorded(pose), recorded(setService), recorded({ ...pose, imageId: 2 })]
    expect(changesOf(enqueue(inCart, first, service, next))).toEqual([
      { ...next.mutation, id: first.mutation.id },
      service.mutation,
    ])
  })

  test('clearing a cart keeps typed-in subjects and year-book poses in the queue', () => {
    const [personMutation, poseMutation] = [recorded(person), recorded(pose)]
    const clear = recorded({ do: 'cart.clear' })
    const before = [personMutation, added(standard, 'b'), recorded(setService), poseMutation]
    expect(enqueue(empty, ...before, clear)).toEqual([personMutation, poseMutation])
    expect(enqueue(inCart, ...before, clear)).toEqual([personMutation, poseMutation, clear])
  })

  test.each<[string, Change, Change, boolean]>([
    ['removing a service twice is merged', removeService, removeService, true],
    ['removing two different services is not merged', removeService, { ...removeService, orderServiceId: 5 }, false],
    ['removing a service of two subjects is not merged', removeService, { ...removeService, subjectId: 8 }, false],
    ['removing a service of two images is not merged', removeService, { ...removeService, imageLookupId: 5 }, false],
    ['setting and removing a service is merged', setService, removeService, true],
    [
      'setting and removing a service of a typed-in subject is merged',
      { ...setService, personId: 'p' },
      { ...removeService, personId: 'p', subjectId: null },
      true,
    ],
    [
      'setting and removing services of two typed-in subjects is not merged',
      { ...setService, personId: 'p' },
      { ...removeService, personId: 'q' },
      false,
    ],
    ['renaming a typed-in subject is merged', person, { ...person, firstName: 'Bodil' }, true],
    ['renaming two typed-in subjects is not merged', person, { ...person, personId: 'q' }, false],
    ['choosing another pose for a subject is merged', pose, { ...pose, imageId: 2 }, true],
    ['choosing poses for two subjects is not merged', pose, { ...pose, subjectId: 8 }, false],
    ['a service and a pose of one subject are not merged', setService, pose, false],
    ['a pose and the removal of a service of one subject are not merged', pose, removeService, false],
    [
      'renaming a typed-in subject and removing its service is not merged',
      person,
      { ...removeService, personId: 'p' },
      false,
    ],
  ])('%s', (_name, first, second, isMerged) => {
    const [firstMutation, secondMutation] = [recorded(first), recorded(second)]
    const enqueued = enqueue(inCart, firstMutation, secondMutation)
    if (isMerged) expect(changesOf(enqueued)).toEqual([{ ...secondMutation.mutation, id: firstMutation.mutation.id }])
    else expect(enqueued).toEqual([firstMutation, secondMutation])
  })
})

describe('mutations that are not merged', () => {
  test('a sent mutation is never merged into', () => {
    const add = added(standard, 'a')
    const next = quantity('a', 3)
    expect(coalesceMutation(empty, [asSent(add)], next)).toEqual({ remove: [], put: next })
    expect(coalesceMutation(empty, [asSent(add)], remove('a')).put?.mutation).toMatchObject({ do: 'line.remove' })
  })

  test('a quantity is not merged if an add-on was dropped in between, which must not reappear', () => {
    const cart = cartAfter(added(standard, 'a', 2), added(addOnWithMinimum, 'x'))
    const enqueued = enqueue(cart, quantity('a', 1), quantity('a', 2))
    expect(changesOf(enqueued)).toMatchObject([{ quantity: 1 }, { quantity: 2 }])
    expect(replayMutations(cart, enqueued).cart.cartPackages.map((line) => line.lineId)).toEqual(['a'])
  })

  test('rejected mutations do not change whether a quantity is merged', () => {
    const cart = cartAfter(added(standard, 'a', 2), added(addOnWithMinimum, 'x'))
    const queue: QueuedMutation[] = [{ recorded: remove('x'), state: 'rejected' }, asNew(quantity('a', 1))]
    const next = quantity('a', 2)
    expect(coalesceMutation(cart, queue, next)).toEqual({ remove: [], put: next })
  })

  test('no mutation is rejected after coalescing although an add-on in between needed the earlier quantity', () => {
    const enqueued = enqueue(
      inCart,
      quantity('a', 3),
      added(addOn(203, { type: 'addon_price', requiredMinPrice: 75 }), 'x'),
      quantity('a', 1),
    )
    expect(replayMutations(inCart, enqueued).rejected).toEqual([])
  })
})

describe('for any cart and any queue', () => {
  const states = fc.array(fc.constantFrom('new', 'sent', 'rejected'), { minLength: 12, maxLength: 12 })
  const replay = (cart: typeof empty, queue: readonly QueuedMutation[]) =>
    replayMutations(
      cart,
      queue.filter((queued) => queued.state !== 'rejected').map((queued) => queued.recorded),
    )

  const lastTyped = (recordedMutations: readonly RecordedMutation[]) =>
    new Map(
      changesOf([...recordedMutations]).flatMap((mutation) =>
        mutation.do === 'person.set' ? [[mutation.personId, mutation.firstName] as const] : [],
      ),
    )

  test('coalescing leaves the resulting cart the same, rejects nothing more, touches no sent mutation, and adds at most one', () => {
    fc.assert(
      fc.property(confirmedCart, mutations, states, (cart, recordedMutations, stateOf) => {
        fc.pre(recordedMutations.length > 0)
        const queue = recordedMutations.slice(0, -1).map(
          (recordedMutation, index): QueuedMutation => ({
            recorded: recordedMutation,
            state: stateOf[index] ?? 'new',
          }),
        )
        const next = recordedMutations.at(-1) as RecordedMutation // not empty, by the precondition
        const plan = coalesceMutation(cart, queue, next)
        const coalescedQueue = applyCoalescePlan(queue, plan)
        const fullQueue = [...queue, asNew(next)]
        expect(replay(cart, coalescedQueue).cart).toEqual(replay(cart, fullQueue).cart)
        const rejectedIds = replay(cart, fullQueue).rejected.map((rejection) => rejection.mutationId)
        for (const { mutationId } of replay(cart, coalescedQueue).rejected) expect(rejectedIds).toContain(mutationId)
        for (const queued of queue) if (queued.state !== 'new') expect(coalescedQueue).toContain(queued)
        expect(coalescedQueue.length).toBeLessThanOrEqual(fullQueue.length)
      }),
      { numRuns: 1000 },
    )
  })

  test('coalescing each mutation in turn results in the same cart as all of them', () => {
    fc.assert(
      fc.property(confirmedCart, mutations, (cart, recordedMutations) => {
        const coalesced = enqueue(cart, ...recordedMutations)
        expect(replayMutations(cart, coalesced).cart).toEqual(replayMutations(cart, recordedMutations).cart)
        expect(coalesced.length).toBeLessThanOrEqual(recordedMutations.length)
        expect(lastTyped(coalesced)).toEqual(lastTyped(recordedMutations))
      }),
      { numRuns: 1000 },
    )
  })
})
