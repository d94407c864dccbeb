import fc from 'fast-check'
import type { Cart, CartPackage, ImageChoice } from '#domain/cart/cart.ts'
import { type LineContent, type Mutation, mutationVersion } from '#domain/cart/mutation.ts'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import type { AutofillSubject } from '#domain/catalogue/autofill.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { autofillPackageTexts } from '#domain/catalogue/refresh-autofill.ts'
import { normaliseRotation } from '#domain/printing/crop.ts'
import { nameAndYear } from '#tests/domain/cart/order-service-fixtures.ts'
import {
  addLine,
  customiseLine,
  emptyLineContent,
  imageChoice,
  newUuid,
  removeLine,
  setQuantity,
} from './cart-fixtures.ts'
import { removeService, setService } from './order-service-fixtures.ts'

/** The options of a customer; each list also contains some that are refused. */
export type CustomerChoices = {
  packages: readonly Package[]
  subjectIds: readonly number[]
  /** The subjects' names and fields, by subject id. */
  subjectsById: ReadonlyMap<number, AutofillSubject>
  imageChoices: readonly ((choice: ImageChoice, subjectId: number) => ImageChoice)[]
  greenScreenIds: readonly (number | null)[]
  services: readonly number[]
  /** The images to retouch, if retouching is per image. */
  retouchedImages: readonly ((subjectId: number) => number | null)[]
}

const slotCount = 4
const anyIndex = fc.nat(9_999)
const slot = anyIndex
/** Mostly valid values, so that rejected steps meet carts that have content. */
const mostly = <Value>(usual: readonly Value[], rare: readonly Value[]): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...rare) })
const text = mostly(['', 'Ada', 'Grace Zoë O’Brien "x"'], ['漢', 'x'.repeat(201)])
const count = mostly([1, 2, 3], [0, 99, 100])
const rotation = fc.constantFrom(0, 90, 450, -90, 12)
const crop = fc.constantFrom(
  null,
  { width: 50, height: 50, cropX: 25, cropY: 25, xMid: 50, yMid: 50 },
  { width: 90, height: 90, cropX: 40, cropY: 5, xMid: 85, yMid: 50 },
)

/** One step of a customer; `slot` picks a line, usually an existing one, and the other indices pick from the offer. */
export const anyStep = fc.oneof(
  {
    weight: 24,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      slot,
      packageIndex: anyIndex,
      subjectIndex: anyIndex,
      count,
      text,
      imageIndex: anyIndex,
    }),
  },
  { weight: 9, arbitrary: fc.record({ do: fc.constant('text' as const), slot, nodeIndex: fc.nat(2), text }) },
  {
    weight: 9,
    arbitrary: fc.record({ do: fc.constant('image' as const), slot, nodeIndex: fc.nat(3), imageIndex: anyIndex }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('crop' as const), slot, nodeIndex: fc.nat(3), rotation, crop }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('fill' as const), slot, text, imageIndex: anyIndex, strayIndex: fc.nat(9) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('greenScreen' as const), slot, screen: anyIndex }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fields' as const), slot, text }) },
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
    arbitrary: fc.record({
      do: fc.constant('setService' as const),
      service: anyIndex,
      subjectIndex: anyIndex,
      imageIndex: anyIndex,
      text,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('removeService' as const),
      service: anyIndex,
      subjectIndex: anyIndex,
      imageIndex: anyIndex,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), hasOrderMethod: fc.boolean() }) },
)
type InferStep<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Step> ? Step : never
export type Step = InferStep<typeof anyStep>
type StepOfKind<Kind extends Step['do']> = Step & { do: Kind }

export type RestCall = { method: 'POST' | 'PATCH' | 'DELETE'; path: string; body?: object }

/** A step as a REST call and as a mutation. */
export type SyncOrRest = {
  call: RestCall
  mutation: Mutation
  /** If the step adds a line: the slot that gets the id from the response. */
  addsToSlot?: number
  /** Set if the step removes something: if that is already removed, REST answers 404 and sync ignores it. */
  removes?: true
}

/** Adds a package that is accepted, so that later steps find a line. */
export const goodStart: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('add' as const),
  slot,
  packageIndex: fc.nat(3),
  subjectIndex: fc.nat(4),
  count: fc.constantFrom(1, 2, 3),
  text: fc.constantFrom('', 'Ada'),
  imageIndex: fc.nat(5),
})

/** The line of each slot, by its line id in either cart; `id` is the cart package id that REST returned last. */
export type Slots = { restLineId: string; syncLineId: string; id: number }[]
export const newSlots = (): Slots =>
  Array.from({ length: slotCount }, () => ({ restLineId: newUuid(), syncLineId: newUuid(), id: unknownId }))

/** An id that does not exist. */
const unknownId = 999_999_999

const pick = <Value>(options: readonly Value[], index: number): Value => {
  const option = options[index % options.length]
  if (option === undefined) throw new Error('there is nothing to pick from')
  return option
}

const readContent = (line: CartPackage | undefined): LineContent =>
  line
    ? {
        greenScreenBackgroundId: line.greenScreen?.id ?? null,
        dataFields: line.dataFields,
        textNodes: line.cartPackageItems.flatMap((item) => item.textNodes.map(({ id: _, ...textNode }) => textNode)),
        imageNodes: line.cartPackageItems.flatMap((item) =>
          item.imageNodes.map(({ id: _, imageThumbnailUrl: __, ...choice }) => choice),
        ),
      }
    : emptyLineContent

/** An answer to a field. The job asks for Grade and not for Team. */
const field = (value: string) => ({ subjectId: null, name: 'Grade', value, templateId: null, optionId: null })

/**
 * Translates a step into both forms for the current cart. The mutation contains the complete content of a line, as
 * devices send it.
 */
export const asSyncAndRest = (
  step: Step,
  { cart, slots: allSlots, offer }: { cart: Cart; slots: Slots; offer: CustomerChoices },
): SyncOrRest => {
  const { orderMethod } = cart
  if (step.do === 'clear')
    return {
      call: { method: 'DELETE', path: step.hasOrderMethod ? `cart?orderMethod=${orderMethod}` : 'cart' },
      mutation: { id: newUuid(), v: mutationVersion, at: '2027-04-15T09:00:00.000Z', do: 'cart.clear' },
    }
  if (step.do === 'setService') return translateService(step, { cart, offer })
  if (step.do === 'removeService') return translateServiceRemoval(step, { cart, offer })
  const slotsWithLine = allSlots.filter((candidate) =>
    cart.cartPackages.some((line) => line.lineId === candidate.restLineId),
  )
  const usesAnySlot = step.do === 'add' || slotsWithLine.length === 0 || step.slot % 10 === 0
  const { restLineId, syncLineId, id } = pick(usesAnySlot ? allSlots : slotsWithLine, step.slot)
  const line = cart.cartPackages.find((cartPackage) => cartPackage.lineId === restLineId)
  if (step.do === 'add')
    return translateAdd(step, { cart, offer, lineIds: { restLineId: line && restLineId, syncLineId } })
  const linePath = `cartpackages/${line?.id ?? id}`
  if (step.do === 'remove')
    return { call: { method: 'DELETE', path: linePath }, mutation: removeLine(syncLineId), removes: true }
  if (step.do === 'quantity')
    return {
      call: { method: 'PATCH', path: linePath, body: { quantity: step.count } },
      mutation: setQuantity(syncLineId, step.count),
      ...(step.count === 0 && { removes: true }),
    }
  return translateChange(step, { line, linePath, lineId: syncLineId, offer })
}

const translateAdd = (
  { slot: index, packageIndex, subjectIndex, count: quantity, text: value, imageIndex }: StepOfKind<'add'>,
  {
    cart,
    offer,
    lineIds,
  }: { cart: Cart; offer: CustomerChoices; lineIds: { restLineId: string | undefined; syncLineId: string } },
): SyncOrRest => {
  const offeredPackage = pick(offer.packages, packageIndex)
  const subjectId = pick(offer.subjectIds, subjectIndex)
  const [first] = offeredPackage.items
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
      .map((node) => pick(offer.imageChoices, imageIndex)(imageChoice(node.id, null), subjectId)),
  }
  const body = {
    packageId: offeredPackage.id,
    subjectId,
    orderMethod: cart.orderMethod,
    quantity,
    ...(lineIds.restLineId && { lineId: lineIds.restLineId }),
    ...content,
  }
  // A device autofills the missing texts and sends them; after a REST call the server fills them in.
  const subject = offer.subjectsById.get(subjectId)
  const textNodes = subject ? autofillPackageTexts(offeredPackage, content.textNodes, subject) : content.textNodes
  return {
    call: { method: 'POST', path: 'cartpackages', body },
    mutation: addLine(offeredPackage, subjectId, { lineId: lineIds.syncLineId, quantity, ...content, textNodes }),
    addsToSlot: index % slotCount,
  }
}

const replaceOrAppend = <Value>(
  list: readonly Value[],
  matches: (entry: Value) => boolean,
  replacement: Value,
): Value[] =>
  list.some(matches) ? list.map((entry) => (matches(entry) ? replacement : entry)) : [...list, replacement]

type ContentStep = StepOfKind<'text' | 'image' | 'crop' | 'fill' | 'greenScreen' | 'fields'>
type LineContext = { line: CartPackage | undefined; linePath: string; lineId: string; offer: CustomerChoices }

const translateChange = (step: ContentStep, context: LineContext): SyncOrRest => {
  const { line, linePath, lineId, offer } = context
  const content = readContent(line)
  const customise = (change: Partial<LineContent>): Mutation => customiseLine(lineId, { ...content, ...change })
  const patch = (body: object): RestCall => ({ method: 'PATCH', path: linePath, body })
  if (step.do === 'greenScreen') {
    const greenScreenBackgroundId = pick(offer.greenScreenIds, step.screen)
    return { call: patch({ greenScreenBackgroundId }), mutation: customise({ greenScreenBackgroundId }) }
  }
  if (step.do === 'fields') {
    const dataFields = step.text === '' ? [] : [field(step.text), { ...field('4'), name: 'Team' }]
    return { call: patch({ dataFields }), mutation: customise({ dataFields }) }
  }
  if (step.do === 'fill') {
    const textNodes = content.textNodes.map((textNode) => ({ ...textNode, value: step.text, autoFilled: true }))
    const strayNodes = step.strayIndex === 9 ? [imageChoice(unknownId, null)] : []
    const choose = pick(offer.imageChoices, step.imageIndex)
    const imageNodes = [
      ...content.imageNodes.slice(0, 1).map((imageNode) => choose(imageNode, line?.subjectId ?? unknownId)),
      ...strayNodes,
    ]
    return { call: patch({ textNodes, imageNodes }), mutation: customise({ textNodes, imageNodes }) }
  }
  return step.do === 'text' ? translateText(step, context) : translateImage(step, context)
}

const translateText = (
  { nodeIndex: index, text: value }: StepOfKind<'text'>,
  { line, lineId }: LineContext,
): SyncOrRest => {
  const content = readContent(line)
  const storedNode = line?.cartPackageItems.flatMap((item) => item.textNodes)[index]
  const typed = { packageItemTextNodeId: storedNode?.packageItemTextNodeId ?? unknownId, value, autoFilled: false }
  const isSameNode = (textNode: typeof typed): boolean => textNode.packageItemTextNodeId === typed.packageItemTextNodeId
  return {
    call: { method: 'PATCH', path: `cartpackageitems/text-nodes/${storedNode?.id ?? unknownId}`, body: { value } },
    mutation: customiseLine(lineId, { ...content, textNodes: replaceOrAppend(content.textNodes, isSameNode, typed) }),
  }
}

const translateImage = (step: StepOfKind<'image' | 'crop'>, { line, lineId, offer }: LineContext): SyncOrRest => {
  const content = readContent(line)
  const storedNode = line?.cartPackageItems.flatMap((item) => item.imageNodes)[step.nodeIndex]
  const nodeId = storedNode?.packageItemImageNodeId ?? unknownId
  const before =
    content.imageNodes.find((imageNode) => imageNode.packageItemImageNodeId === nodeId) ?? imageChoice(nodeId, null)
  const newChoice =
    step.do === 'image'
      ? pick(offer.imageChoices, step.imageIndex)(imageChoice(nodeId, null), line?.subjectId ?? unknownId)
      : null
  const { subjectImageId, groupImageId, replacementImageId } = newChoice ?? before
  const frontendCropDimensions = { x: 1, y: 2, zoom: 1.5 }
  const cropped = step.do === 'crop' && {
    rotation: step.rotation,
    cropDimensions: step.crop,
    frontendCropDimensions,
  }
  const replacing = replacementImageId === null ? {} : { replacementImageId }
  const body = cropped || { subjectImageId, groupImageId, ...replacing }
  const choice = newChoice ?? {
    ...before,
    ...cropped,
    ...(cropped && { rotation: normaliseRotation(cropped.rotation) }),
  }
  const isSameNode = (image: ImageChoice): boolean => image.packageItemImageNodeId === nodeId
  return {
    call: { method: 'PATCH', path: `cartpackageitems/image-nodes/${storedNode?.id ?? unknownId}`, body },
    mutation: customiseLine(lineId, {
      ...content,
      imageNodes: replaceOrAppend(content.imageNodes, isSameNode, choice),
    }),
  }
}

type CartContext = { cart: Cart; offer: CustomerChoices }

const translateService = (step: StepOfKind<'setService'>, { cart, offer }: CartContext): SyncOrRest => {
  const [orderServiceId, subjectId] = [pick(offer.services, step.service), pick(offer.subjectIds, step.subjectIndex)]
  const price = step.imageIndex % 2 === 0 ? undefined : pick([3.25, 10, 0.01], step.subjectIndex)
  const body = { subjectId, orderServiceId, orderMethod: cart.orderMethod, ...(price && { price }) }
  // The last service is name and year; sometimes it is requested without printed texts.
  if (orderServiceId === offer.services.at(-1) && step.imageIndex % 3 > 0) {
    const personalization = nameAndYear(step.text, { nameOnWallets: step.imageIndex % 2 === 0 })
    const path = `cartOrderServices/${step.imageIndex % 4 === 0 ? 'personalization' : 'presonalization'}`
    return {
      call: { method: 'POST', path, body: { ...body, ...personalization } },
      mutation: setService(orderServiceId, subjectId, { personalization, ...(price && { price }) }),
    }
  }
  const imageLookupId = pick(offer.retouchedImages, step.imageIndex)(subjectId)
  return {
    call: { method: 'POST', path: 'cartOrderServices', body: { ...body, imageLookupId } },
    mutation: setService(orderServiceId, subjectId, { imageLookupId, ...(price && { price }) }),
  }
}

const translateServiceRemoval = (step: StepOfKind<'removeService'>, { cart, offer }: CartContext): SyncOrRest => {
  const entries = cartServicesOf(cart)
  const existing = entries.length === 0 || step.imageIndex % 5 === 0 ? undefined : pick(entries, step.service)
  const orderServiceId = existing?.orderServiceId ?? pick(offer.services, step.service)
  const subjectId = existing?.subjectId ?? pick(offer.subjectIds, step.subjectIndex)
  const imageLookupId = existing
    ? (existing.imageLookupId ?? null)
    : pick(offer.retouchedImages, step.imageIndex)(subjectId)
  const entry = entries.find(
    (service) =>
      service.orderServiceId === orderServiceId &&
      service.subjectId === subjectId &&
      (service.imageLookupId ?? null) === imageLookupId,
  )
  return {
    call: { method: 'DELETE', path: `cartOrderServices/${entry?.id ?? unknownId}` },
    mutation: removeService(orderServiceId, subjectId, { imageLookupId }),
    removes: true,
  }
}
