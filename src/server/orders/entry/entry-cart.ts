import type { EntryDraft, EntryLine, EntryService } from '#contract/studio/order-entry.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import { applyMutation, cartProblemMessages } from '#domain/cart/cart-rules.ts'
import { type Mutation, type MutationSnapshot, mutationVersion } from '#domain/cart/mutation.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { autofillPackageTexts } from '#domain/catalogue/refresh-autofill.ts'
import { imageChoicesOfForm, sortForAdding, withCrops } from '#domain/orders/paper-order.ts'
import { unprintableTexts } from '#domain/printing/printable-letters.ts'
import { imageChoiceMessages, imageChoiceProblem, isImageOfSubject } from '#server/carts/store/image-choice-rules.ts'
import { unprintableLettersMessage } from '#server/carts/store/text-messages.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import type { EntryContext, EntrySubjectRecord } from './entry-context.ts'

/** The cart of a form, with the form line of each cart line. */
export type EntryCart = { cart: Cart; places: ReadonlyMap<string, number> }

type EntryCartLine = { index: number; line: EntryLine; package: Package; person: EntrySubjectRecord }

const fieldProblem = (field: string, sentence: string): Problem<'refused'> =>
  problem('refused', sentence, { fields: { [field]: [sentence] } })

const notListedMessage = 'This person is not on the list of this job'
const notOnOfferMessage = 'This package is not on offer any more'

const findLine = (facts: EntryContext, line: EntryLine, index: number): EntryCartLine | Problem<'refused'> => {
  const formPackage = facts.packages.get(line.packageId)
  const person = facts.subjects.get(line.subjectId)
  if (!formPackage) return fieldProblem(`lines.${index}`, notOnOfferMessage)
  if (!person) return fieldProblem(`lines.${index}`, notListedMessage)
  return { index, line, package: formPackage, person }
}

const imagesFor = ({ line, package: formPackage, person }: EntryCartLine, facts: EntryContext) => {
  const { imageId, groupImageId = null, crops = [] } = line
  const image = imageId === null ? undefined : facts.images.get(imageId)
  const isOfGroup = image !== undefined && isImageOfSubject(image, 'group', person)
  const choices = {
    own: isOfGroup ? { groupImageId: imageId } : { subjectImageId: imageId },
    groupImageId: groupImageId ?? (isOfGroup ? imageId : null),
  }
  const imageNodes = withCrops(imageChoicesOfForm(formPackage, choices), crops)
  const shownIds = new Set(imageNodes.flatMap((one) => [one.subjectImageId, one.groupImageId]))
  const images = [...shownIds].flatMap((id) => (id === null ? [] : (facts.images.get(id) ?? [])))
  return { imageNodes, images }
}

const addOf = (
  formLines: EntryCartLine,
  { facts, stamp }: { facts: EntryContext; stamp: { id: string; lineId: string; at: string } },
): { mutation: Mutation; made: MutationSnapshot } | Problem<'refused'> => {
  const { index, line, package: formPackage, person } = formLines
  const typedTexts = line.texts.map(({ nodeId, value }) => ({
    packageItemTextNodeId: nodeId,
    value,
    autoFilled: false,
  }))
  const textNodes = autofillPackageTexts(formPackage, typedTexts, person)
  const { imageNodes, images } = imagesFor(formLines, facts)
  const context = { linePackage: formPackage, subject: person, imageById: (id: number) => facts.images.get(id) }
  const imageProblem = imageChoiceProblem(imageNodes, context)
  if (imageProblem) return fieldProblem(`lines.${index}`, imageChoiceMessages[imageProblem])
  const [unprintable] = unprintableTexts(formPackage, textNodes)
  if (unprintable) return fieldProblem(`lines.${index}`, unprintableLettersMessage(unprintable.lacking))
  const { firstName, lastName } = person
  return {
    mutation: {
      ...stamp,
      v: mutationVersion,
      do: 'line.add',
      ...{ packageId: formPackage.id, packageVersion: formPackage.version, quantity: line.quantity },
      ...{ subjectId: person.id, personId: null, greenScreenBackgroundId: null, dataFields: [], textNodes, imageNodes },
    },
    made: {
      package: formPackage,
      subject: { firstName, lastName, imageThumbnailUrl: null },
      images: images.map(({ id: imageId, width, height, hasAlpha }) => ({
        ...{ imageId, width, height, hasAlpha },
        thumbnailUrl: '',
      })),
    },
  }
}

const serviceOf = (
  entry: EntryService,
  { facts, stamp }: { facts: EntryContext; stamp: { id: string; at: string } },
) => {
  const { services, ...flags } = facts.terms.services
  const service = services.find((one) => one.orderServiceId === entry.orderServiceId)
  const { subjectId, orderServiceId, imageId: imageLookupId, personalization } = entry
  const fields = { subjectId, personId: null, orderServiceId, imageLookupId, personalization, price: null }
  const mutation: Mutation = { ...stamp, v: mutationVersion, do: 'service.set', ...fields }
  return { mutation, made: service ? { service, flags } : null }
}

/** Builds a cart from a form by the rules of carts (section 4), or returns the form line that they refuse. */
export const buildEntryCart = (
  { newId, clock }: Deps,
  facts: EntryContext,
  { jobId, draft }: { jobId: number; draft: EntryDraft },
): EntryCart | Problem<'refused'> => {
  const at = clock().toISOString()
  let cart = emptyCart(jobId, draft.orderMethod)
  const places = new Map<string, number>()
  const formLines: EntryCartLine[] = []
  for (const [index, line] of draft.lines.entries()) {
    const formLine = findLine(facts, line, index)
    if (!('line' in formLine)) return formLine
    formLines.push(formLine)
  }
  for (const one of sortForAdding(formLines)) {
    const stamp = { id: newId(), lineId: newId(), at }
    const add = addOf(one, { facts, stamp })
    if (!('mutation' in add)) return add
    const applied = applyMutation(cart, add.mutation, add.made)
    if (!applied.ok) return fieldProblem(`lines.${one.index}`, cartProblemMessages[applied.problem])
    cart = applied.cart
    places.set(stamp.lineId, one.index)
  }
  for (const [index, entry] of draft.services.entries()) {
    const image = entry.imageId === null ? undefined : facts.images.get(entry.imageId)
    const person = facts.subjects.get(entry.subjectId)
    if (entry.imageId !== null && !(person && isImageOfSubject(image, 'subject', person)))
      return fieldProblem(`services.${index}`, imageChoiceMessages['picture-gone'])
    const { mutation, made: snapshot } = serviceOf(entry, { facts, stamp: { id: newId(), at } })
    const applied = applyMutation(cart, mutation, snapshot)
    if (!applied.ok) return fieldProblem(`services.${index}`, cartProblemMessages[applied.problem])
    cart = applied.cart
  }
  return { cart, places }
}
