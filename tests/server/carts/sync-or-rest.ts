import fc from 'fast-check'
import type { Cart, CartPackage, ImageChoice } from '#domain/cart/cart.ts'
import { type LineContent, type Mutation, mutationVersion } from '#domain/cart/mutation.ts'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import type { AutofillSubject } from '#domain/catalogue/autofill.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { autofillPackageTexts } from '#domain/catalogue/refresh-autofill.ts'
import { normaliseRotation } from '#domain/printing/crop.ts'
import { nameAndYear } from '../../domain/cart/order-service-fixtures.ts'
import { add, chosen, customise, emptyLineContent, newUuid, quantity, remove } from './cart-fixtures.ts'
import { removeService, setService } from './order-service-fixtures.ts'

/** What a customer chooses from; some of each may not be chosen. */
export type CustomerChoices = {
  packages: readonly Package[]
  people: readonly number[]
  /** The studio's fields of the subjects. */
  known: ReadonlyMap<number, AutofillSubject>
  pictures: readonly ((of: ImageChoice, person: number) => ImageChoice)[]
  screens: readonly (number | null)[]
  services: readonly number[]
  /** For retouching per image. */
  retouched: readonly ((person: number) => number | null)[]
}

const slots = 4
const drawn = fc.nat(9_999)
const slot = drawn
/** Mostly valid choices, so that rejections meet carts with content. */
const mostly = <One>(usual: readonly One[], rare: readonly One[]): fc.Arbitrary<One> =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...rare) })
const word = mostly(['', 'Ada', 'Grace Zoë O’Brien "x"'], ['漢', 'x'.repeat(201)])
const count = mostly([1, 2, 3], [0, 99, 100])
const turn = fc.constantFrom(0, 90, 450, -90, 12)
const crop = fc.constantFrom(
  null,
  { width: 50, height: 50, cropX: 25, cropY: 25, xMid: 50, yMid: 50 },
  { width: 90, height: 90, cropX: 40, cropY: 5, xMid: 85, yMid: 50 },
)

/** One step of a customer; `slot` picks the line, mostly an existing one, the other numbers pick from the offer. */
export const step = fc.oneof(
  {
    weight: 24,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      slot,
      made: drawn,
      who: drawn,
      count,
      word,
      picture: drawn,
    }),
  },
  { weight: 9, arbitrary: fc.record({ do: fc.constant('text' as const), slot, node: fc.nat(2), word }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constant('picture' as const), slot, node: fc.nat(3), picture: drawn }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('crop' as const), slot, node: fc.nat(3), turn, crop }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('fill' as const), slot, word, picture: drawn, stray: fc.nat(9) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('screen' as const), slot, screen: drawn }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fields' as const), slot, word }) },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('quantity' as const),
      slot,
      count: fc.oneof(count, fc.constantFrom(0, -1)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), slot }) },
  {
    weight: 15,
    arbitrary: fc.record({ do: fc.constant('serve' as const), service: drawn, who: drawn, picture: drawn, word }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('unserve' as const), service: drawn, who: drawn, picture: drawn }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), named: fc.boolean() }) },
)
type StepOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Step> ? Step : never
export type Step = StepOf<typeof step>
type Doing<Kind extends Step['do']> = Step & { do: Kind }

export type Call = { method: 'POST' | 'PATCH' | 'DELETE'; path: string; body?: object }

/** A step as a REST call and as a mutation. */
export type SyncOrRest = {
  call: Call
  mutation: Mutation
  /** Set where a line is added: the slot that gets the id from the response. */
  adds?: number
  /** Whether it removes something: a REST call does not find what is gone already, a sync ignores it. */
  takesOut?: true
}

/** A package that is accepted, so that later steps find a line. */
export const goodStart: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('add' as const),
  slot,
  made: fc.nat(3),
  who: fc.nat(4),
  count: fc.constantFrom(1, 2, 3),
  word: fc.constantFrom('', 'Ada'),
  picture: fc.nat(5),
})

/** The line of each slot, by its id on either side; `id` as the REST calls last returned it. */
export type Slots = { called: string; synced: string; id: number }[]
export const newSlots = (): Slots =>
  Array.from({ length: slots }, () => ({ called: newUuid(), synced: newUuid(), id: nowhere }))

/** An id that does not exist. */
const nowhere = 999_999_999

const pick = <One>(from: readonly One[], at: number): One => {
  const one = from[at % from.length]
  if (one === undefined) throw new Error('there is nothing to pick from')
  return one
}

const contentOf = (line: CartPackage | undefined): LineContent =>
  line
    ? {
        greenScreenBackgroundId: line.greenScreen?.id ?? null,
        dataFields: line.dataFields,
        textNodes: line.cartPackageItems.flatMap((item) => item.textNodes.map(({ id: _, ...text }) => text)),
        imageNodes: line.cartPackageItems.flatMap((item) =>
          item.imageNodes.map(({ id: _, imageThumbnailUrl: __, ...choice }) => choice),
        ),
      }
    : emptyLineContent

/** What the job asks before the picture day; it asks for no team. */
const field = (value: string) => ({ subjectId: null, name: 'Grade', value, templateId: null, optionId: null })

/** Translates a step into both forms for the current cart. A sync sends a line's whole content, as devices do. */
export const asSyncAndRest = (
  of: Step,
  { cart, slots: known, offer }: { cart: Cart; slots: Slots; offer: CustomerChoices },
): SyncOrRest => {
  const { orderMethod } = cart
  if (of.do === 'clear')
    return {
      call: { method: 'DELETE', path: of.named ? `cart?orderMethod=${orderMethod}` : 'cart' },
      mutation: { id: newUuid(), v: mutationVersion, at: '2027-04-15T09:00:00.000Z', do: 'cart.clear' },
    }
  if (of.do === 'serve') return serve(of, { cart, offer })
  if (of.do === 'unserve') return unserve(of, { cart, offer })
  const present = known.filter((one) => cart.cartPackages.some((line) => line.lineId === one.called))
  const isMissed = of.do === 'add' || present.length === 0 || of.slot % 10 === 0
  const { called, synced, id } = pick(isMissed ? known : present, of.slot)
  const line = cart.cartPackages.find((one) => one.lineId === called)
  if (of.do === 'add') return adding(of, { cart, offer, lineIds: { called: line && called, synced } })
  const onLine = `cartpackages/${line?.id ?? id}`
  if (of.do === 'remove') return { call: { method: 'DELETE', path: onLine }, mutation: remove(synced), takesOut: true }
  if (of.do === 'quantity')
    return {
      call: { method: 'PATCH', path: onLine, body: { quantity: of.count } },
      mutation: quantity(synced, of.count),
      ...(of.count === 0 && { takesOut: true }),
    }
  return changing(of, { line, onLine, lineId: synced, offer })
}

const adding = (
  { slot: at, made, who, count: quantityAsked, word: value, picture }: Doing<'add'>,
  {
    cart,
    offer,
    lineIds,
  }: { cart: Cart; offer: CustomerChoices; lineIds: { called: string | undefined; synced: string } },
): SyncOrRest => {
  const of = pick(offer.packages, made)
  const subjectId = pick(offer.people, who)
  const [first] = of.items
  const content = {
    greenScreenBackgroundId: null,
    dataFields: value === 'Ada' ? [field('3')] : [],
    textNodes: (first?.textNodes ?? []).map((node) => ({
      packageItemTextNodeId: node.id,
      value,
      autoFilled: false,
    })),
    imageNodes: (first?.imageNodes ?? [])
      .slice(0, 1)
      .map((node) => pick(offer.pictures, picture)(chosen(node.id, null), subjectId)),
  }
  const body = {
    packageId: of.id,
    subjectId,
    orderMethod: cart.orderMethod,
    quantity: quantityAsked,
    ...(lineIds.called && { lineId: lineIds.called }),
    ...content,
  }
  // A device has autofilled the missing texts and sends them; a REST call leaves both to the server.
  const known = offer.known.get(subjectId)
  const textNodes = known ? autofillPackageTexts(of, content.textNodes, known) : content.textNodes
  return {
    call: { method: 'POST', path: 'cartpackages', body },
    mutation: add(of, subjectId, { lineId: lineIds.synced, quantity: quantityAsked, ...content, textNodes }),
    adds: at % slots,
  }
}

const replaced = <One>(list: readonly One[], isMeant: (one: One) => boolean, by: One): One[] =>
  list.some(isMeant) ? list.map((one) => (isMeant(one) ? by : one)) : [...list, by]

type Changing = Doing<'text' | 'picture' | 'crop' | 'fill' | 'screen' | 'fields'>
type OfLine = { line: CartPackage | undefined; onLine: string; lineId: string; offer: CustomerChoices }

const changing = (of: Changing, about: OfLine): SyncOrRest => {
  const { line, onLine, lineId, offer } = about
  const content = contentOf(line)
  const whole = (change: Partial<LineContent>): Mutation => customise(lineId, { ...content, ...change })
  const patch = (body: object): Call => ({ method: 'PATCH', path: onLine, body })
  if (of.do === 'screen') {
    const greenScreenBackgroundId = pick(offer.screens, of.screen)
    return { call: patch({ greenScreenBackgroundId }), mutation: whole({ greenScreenBackgroundId }) }
  }
  if (of.do === 'fields') {
    const dataFields = of.word === '' ? [] : [field(of.word), { ...field('4'), name: 'Team' }]
    return { call: patch({ dataFields }), mutation: whole({ dataFields }) }
  }
  if (of.do === 'fill') {
    const textNodes = content.textNodes.map((one) => ({ ...one, value: of.word, autoFilled: true }))
    const stray = of.stray === 9 ? [chosen(nowhere, null)] : []
    const choose = pick(offer.pictures, of.picture)
    const imageNodes = [
      ...content.imageNodes.slice(0, 1).map((one) => choose(one, line?.subjectId ?? nowhere)),
      ...stray,
    ]
    return { call: patch({ textNodes, imageNodes }), mutation: whole({ textNodes, imageNodes }) }
  }
  return of.do === 'text' ? typing(of, about) : choosing(of, about)
}

const typing = ({ node: at, word: value }: Doing<'text'>, { line, lineId }: OfLine): SyncOrRest => {
  const content = contentOf(line)
  const node = line?.cartPackageItems.flatMap((item) => item.textNodes)[at]
  const typed = { packageItemTextNodeId: node?.packageItemTextNodeId ?? nowhere, value, autoFilled: false }
  const isIt = (one: typeof typed): boolean => one.packageItemTextNodeId === typed.packageItemTextNodeId
  return {
    call: { method: 'PATCH', path: `cartpackageitems/text-nodes/${node?.id ?? nowhere}`, body: { value } },
    mutation: customise(lineId, { ...content, textNodes: replaced(content.textNodes, isIt, typed) }),
  }
}

const choosing = (of: Doing<'picture' | 'crop'>, { line, lineId, offer }: OfLine): SyncOrRest => {
  const content = contentOf(line)
  const node = line?.cartPackageItems.flatMap((item) => item.imageNodes)[of.node]
  const nodeId = node?.packageItemImageNodeId ?? nowhere
  const before = content.imageNodes.find((one) => one.packageItemImageNodeId === nodeId) ?? chosen(nodeId, null)
  const another =
    of.do === 'picture' ? pick(offer.pictures, of.picture)(chosen(nodeId, null), line?.subjectId ?? nowhere) : null
  const { subjectImageId, groupImageId, replacementImageId } = another ?? before
  const frontendCropDimensions = { x: 1, y: 2, zoom: 1.5 }
  const cropped = of.do === 'crop' && {
    rotation: of.turn,
    cropDimensions: of.crop,
    frontendCropDimensions,
  }
  const replacing = replacementImageId === null ? {} : { replacementImageId }
  const body = cropped || { subjectImageId, groupImageId, ...replacing }
  const choice = another ?? {
    ...before,
    ...cropped,
    ...(cropped && { rotation: normaliseRotation(cropped.rotation) }),
  }
  const isIt = (one: ImageChoice): boolean => one.packageItemImageNodeId === nodeId
  return {
    call: { method: 'PATCH', path: `cartpackageitems/image-nodes/${node?.id ?? nowhere}`, body },
    mutation: customise(lineId, { ...content, imageNodes: replaced(content.imageNodes, isIt, choice) }),
  }
}

type OfCart = { cart: Cart; offer: CustomerChoices }

const serve = (of: Doing<'serve'>, { cart, offer }: OfCart): SyncOrRest => {
  const [orderServiceId, subjectId] = [pick(offer.services, of.service), pick(offer.people, of.who)]
  const price = of.picture % 2 === 0 ? undefined : pick([3.25, 10, 0.01], of.who)
  const named = { subjectId, orderServiceId, orderMethod: cart.orderMethod, ...(price && { price }) }
  // The last one is name and year; now and then it is requested without printed words.
  if (orderServiceId === offer.services.at(-1) && of.picture % 3 > 0) {
    const personalization = nameAndYear(of.word, { nameOnWallets: of.picture % 2 === 0 })
    const path = `cartOrderServices/${of.picture % 4 === 0 ? 'personalization' : 'presonalization'}`
    return {
      call: { method: 'POST', path, body: { ...named, ...personalization } },
      mutation: setService(orderServiceId, subjectId, { personalization, ...(price && { price }) }),
    }
  }
  const imageLookupId = pick(offer.retouched, of.picture)(subjectId)
  return {
    call: { method: 'POST', path: 'cartOrderServices', body: { ...named, imageLookupId } },
    mutation: setService(orderServiceId, subjectId, { imageLookupId, ...(price && { price }) }),
  }
}

const unserve = (of: Doing<'unserve'>, { cart, offer }: OfCart): SyncOrRest => {
  const entries = cartServicesOf(cart)
  const there = entries.length === 0 || of.picture % 5 === 0 ? undefined : pick(entries, of.service)
  const orderServiceId = there?.orderServiceId ?? pick(offer.services, of.service)
  const subjectId = there?.subjectId ?? pick(offer.people, of.who)
  const imageLookupId = there ? (there.imageLookupId ?? null) : pick(offer.retouched, of.picture)(subjectId)
  const entry = entries.find(
    (one) =>
      one.orderServiceId === orderServiceId &&
      one.subjectId === subjectId &&
      (one.imageLookupId ?? null) === imageLookupId,
  )
  return {
    call: { method: 'DELETE', path: `cartOrderServices/${entry?.id ?? nowhere}` },
    mutation: removeService(orderServiceId, subjectId, { imageLookupId }),
    takesOut: true,
  }
}
