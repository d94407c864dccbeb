import type { EntryDraft, EntryLine, EntryService } from '#contract/studio/order-entry.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import { cartProblemMessages } from '#domain/cart/cart-rules.ts'
import { type Mutation, type MutationSnapshot, mutationVersion } from '#domain/cart/mutation.ts'
import { applyMutation } from '#domain/cart/mutations.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { autofillPackageTexts } from '#domain/catalogue/refresh-autofill.ts'
import { imageChoicesOfForm, sortForAdding, withCrops } from '#domain/orders/paper-order.ts'
import { unprintableLettersMessage, unprintableTexts } from '#domain/printing/printable-letters.ts'
import { imageChoiceMessages, imageChoiceProblem, isImageOfSubject } from '#server/carts/store/image-choice-rules.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import type { EntryContext, EntrySubjectRecord } from './entry-context.ts'

/** The cart of a form. `formLineIndexes` has the index of the form line by the id of the cart line. */
export type EntryCart = { cart: Cart; formLineIndexes: ReadonlyMap<string, number> }

type EntryCartLine = { index: number; line: EntryLine; package: Package; subject: EntrySubjectRecord }

const fieldProblem = (field: string, message: string): Problem<'refused'> =>
  problem('refused', message, { fields: { [field]: [message] } })

const notListedMessage = 'This person is not on the list of this job'
const notOnOfferMessage = 'This package is no longer offered'

const findLine = (context: EntryContext, line: EntryLine, index: number): EntryCartLine | Problem<'refused'> => {
  const formPackage = context.packages.get(line.packageId)
  const subject = context.subjects.get(line.subjectId)
  if (!formPackage) return fieldProblem(`lines.${index}`, notOnOfferMessage)
  if (!subject) return fieldProblem(`lines.${index}`, notListedMessage)
  return { index, line, package: formPackage, subject }
}

const imagesFor = ({ line, package: formPackage, subject }: EntryCartLine, context: EntryContext) => {
  const { imageId, groupImageId = null, crops = [] } = line
  const image = imageId === null ? undefined : context.images.get(imageId)
  const isOfGroup = image !== undefined && isImageOfSubject(image, 'group', subject)
  const choices = {
    own: isOfGroup ? { groupImageId: imageId } : { subjectImageId: imageId },
    groupImageId: groupImageId ?? (isOfGroup ? imageId : null),
  }
  const imageNodes = withCrops(imageChoicesOfForm(formPackage, choices), crops)
  const chosenIds = new Set(imageNodes.flatMap((node) => [node.subjectImageId, node.groupImageId]))
  const images = [...chosenIds].flatMap((id) => (id === null ? [] : (context.images.get(id) ?? [])))
  return { imageNodes, images }
}

const addMutationOf = (
  formLine: EntryCartLine,
  { context, stamp }: { context: EntryContext; stamp: { id: string; lineId: string; at: string } },
): { mutation: Mutation; snapshot: MutationSnapshot } | Problem<'refused'> => {
  const { index, line, package: formPackage, subject } = formLine
  const typedTexts = line.texts.map(({ nodeId, value }) => ({
    packageItemTextNodeId: nodeId,
    value,
    autoFilled: false,
  }))
  const textNodes = autofillPackageTexts(formPackage, typedTexts, subject)
  const { imageNodes, images } = imagesFor(formLine, context)
  const choiceContext = { linePackage: formPackage, subject, imageById: (id: number) => context.images.get(id) }
  const imageProblem = imageChoiceProblem(imageNodes, choiceContext)
  if (imageProblem) return fieldProblem(`lines.${index}`, imageChoiceMessages[imageProblem])
  const [unprintable] = unprintableTexts(formPackage, textNodes)
  if (unprintable) return fieldProblem(`lines.${index}`, unprintableLettersMessage(unprintable.lacking))
  const { firstName, lastName } = subject
  return {
    mutation: {
      ...stamp,
      v: mutationVersion,
      do: 'line.add',
      ...{ packageId: formPackage.id, packageVersion: formPackage.version, quantity: line.quantity },
      ...{
        subjectId: subject.id,
        personId: null,
        greenScreenBackgroundId: null,
        dataFields: [],
        textNodes,
        imageNodes,
      },
    },
    snapshot: {
      package: formPackage,
      subject: { firstName, lastName, imageThumbnailUrl: null },
      images: images.map(({ id: imageId, width, height, hasAlpha }) => ({
        ...{ imageId, width, height, hasAlpha },
        thumbnailUrl: '',
      })),
    },
  }
}

const serviceMutationOf = (
  entry: EntryService,
  { context, stamp }: { context: EntryContext; stamp: { id: string; at: string } },
) => {
  const { services, ...flags } = context.terms.services
  const service = services.find(({ orderServiceId: id }) => id === entry.orderServiceId)
  const { subjectId, orderServiceId, imageId: imageLookupId, personalization } = entry
  const fields = { subjectId, personId: null, orderServiceId, imageLookupId, personalization, price: null }
  const mutation: Mutation = { ...stamp, v: mutationVersion, do: 'service.set', ...fields }
  return { mutation, snapshot: service ? { service, flags } : null }
}

/** Builds a cart from a form by the rules of carts (section 4), or returns a problem for the form line that the rules reject. */
export const buildEntryCart = (
  { newId, clock }: Deps,
  context: EntryContext,
  { jobId, draft }: { jobId: number; draft: EntryDraft },
): EntryCart | Problem<'refused'> => {
  const at = clock().toISOString()
  let cart = emptyCart(jobId, draft.orderMethod)
  const formLineIndexes = new Map<string, number>()
  const formLines: EntryCartLine[] = []
  for (const [index, line] of draft.lines.entries()) {
    const formLine = findLine(context, line, index)
    if (!('line' in formLine)) return formLine
    formLines.push(formLine)
  }
  for (const formLine of sortForAdding(formLines)) {
    const stamp = { id: newId(), lineId: newId(), at }
    const add = addMutationOf(formLine, { context, stamp })
    if (!('mutation' in add)) return add
    const applied = applyMutation(cart, add.mutation, add.snapshot)
    if (!applied.ok) return fieldProblem(`lines.${formLine.index}`, cartProblemMessages[applied.problem])
    cart = applied.cart
    formLineIndexes.set(stamp.lineId, formLine.index)
  }
  for (const [index, entry] of draft.services.entries()) {
    const image = entry.imageId === null ? undefined : context.images.get(entry.imageId)
    const subject = context.subjects.get(entry.subjectId)
    if (entry.imageId !== null && !(subject && isImageOfSubject(image, 'subject', subject)))
      return fieldProblem(`services.${index}`, imageChoiceMessages['picture-gone'])
    const { mutation, snapshot } = serviceMutationOf(entry, { context, stamp: { id: newId(), at } })
    const applied = applyMutation(cart, mutation, snapshot)
    if (!applied.ok) return fieldProblem(`services.${index}`, cartProblemMessages[applied.problem])
    cart = applied.cart
  }
  return { cart, formLineIndexes }
}
