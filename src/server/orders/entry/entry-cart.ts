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

/** The cart of a form, and which of the form's lines each of its lines is. */
export type EntryCart = { cart: Cart; places: ReadonlyMap<string, number> }

type EntryCartLine = { place: number; line: EntryLine; package: Package; person: EntrySubjectRecord }

const wrong = (field: string, sentence: string): Problem<'refused'> =>
  problem('refused', sentence, { fields: { [field]: [sentence] } })

const notListed = 'This person is not on the list of this job'
const notOnOffer = 'This package is not on offer any more'

const find = (facts: EntryContext, line: EntryLine, place: number): EntryCartLine | Problem<'refused'> => {
  const made = facts.packages.get(line.packageId)
  const person = facts.subjects.get(line.subjectId)
  if (!made) return wrong(`lines.${place}`, notOnOffer)
  if (!person) return wrong(`lines.${place}`, notListed)
  return { place, line, package: made, person }
}

const picturesFor = ({ line, package: made, person }: EntryCartLine, facts: EntryContext) => {
  const { imageId, groupImageId = null, crops = [] } = line
  const picture = imageId === null ? undefined : facts.images.get(imageId)
  const isGroups = picture !== undefined && isImageOfSubject(picture, 'group', person)
  const picked = {
    own: isGroups ? { groupImageId: imageId } : { subjectImageId: imageId },
    groupImageId: groupImageId ?? (isGroups ? imageId : null),
  }
  const imageNodes = withCrops(imageChoicesOfForm(made, picked), crops)
  const shown = new Set(imageNodes.flatMap((one) => [one.subjectImageId, one.groupImageId]))
  const images = [...shown].flatMap((id) => (id === null ? [] : (facts.images.get(id) ?? [])))
  return { imageNodes, images }
}

const addOf = (
  wanted: EntryCartLine,
  { facts, stamp }: { facts: EntryContext; stamp: { id: string; lineId: string; at: string } },
): { mutation: Mutation; made: MutationSnapshot } | Problem<'refused'> => {
  const { place, line, package: made, person } = wanted
  const given = line.texts.map(({ nodeId, value }) => ({ packageItemTextNodeId: nodeId, value, autoFilled: false }))
  const textNodes = autofillPackageTexts(made, given, person)
  const { imageNodes, images } = picturesFor(wanted, facts)
  const about = { linePackage: made, subject: person, imageById: (id: number) => facts.images.get(id) }
  const wrongOne = imageChoiceProblem(imageNodes, about)
  if (wrongOne) return wrong(`lines.${place}`, imageChoiceMessages[wrongOne])
  const [unprintable] = unprintableTexts(made, textNodes)
  if (unprintable) return wrong(`lines.${place}`, unprintableLettersMessage(unprintable.lacking))
  const { firstName, lastName } = person
  return {
    mutation: {
      ...stamp,
      v: mutationVersion,
      do: 'line.add',
      ...{ packageId: made.id, packageVersion: made.version, quantity: line.quantity },
      ...{ subjectId: person.id, personId: null, greenScreenBackgroundId: null, dataFields: [], textNodes, imageNodes },
    },
    made: {
      package: made,
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
  const of = { subjectId, personId: null, orderServiceId, imageLookupId, personalization, price: null }
  const mutation: Mutation = { ...stamp, v: mutationVersion, do: 'service.set', ...of }
  return { mutation, made: service ? { service, flags } : null }
}

/** Puts what is on a form into a cart by the cart's own rules (section 4), or says which line of it they refuse. */
export const buildEntryCart = (
  { newId, clock }: Deps,
  facts: EntryContext,
  { jobId, draft }: { jobId: number; draft: EntryDraft },
): EntryCart | Problem<'refused'> => {
  const at = clock().toISOString()
  let cart = emptyCart(jobId, draft.orderMethod)
  const places = new Map<string, number>()
  const wanted: EntryCartLine[] = []
  for (const [place, line] of draft.lines.entries()) {
    const found = find(facts, line, place)
    if (!('line' in found)) return found
    wanted.push(found)
  }
  for (const one of sortForAdding(wanted)) {
    const stamp = { id: newId(), lineId: newId(), at }
    const add = addOf(one, { facts, stamp })
    if (!('mutation' in add)) return add
    const applied = applyMutation(cart, add.mutation, add.made)
    if (!applied.ok) return wrong(`lines.${one.place}`, cartProblemMessages[applied.problem])
    cart = applied.cart
    places.set(stamp.lineId, one.place)
  }
  for (const [place, entry] of draft.services.entries()) {
    const picture = entry.imageId === null ? undefined : facts.images.get(entry.imageId)
    const person = facts.subjects.get(entry.subjectId)
    if (entry.imageId !== null && !(person && isImageOfSubject(picture, 'subject', person)))
      return wrong(`services.${place}`, imageChoiceMessages['picture-gone'])
    const { mutation, made } = serviceOf(entry, { facts, stamp: { id: newId(), at } })
    const applied = applyMutation(cart, mutation, made)
    if (!applied.ok) return wrong(`services.${place}`, cartProblemMessages[applied.problem])
    cart = applied.cart
  }
  return { cart, places }
}
