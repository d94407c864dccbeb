import type { Cart, DataField, TextChoice } from '#domain/cart/cart.ts'
import { enforceFixedTexts } from '#domain/cart/fixed-texts.ts'
import type { LineContent, Mutation, MutationSnapshot, SubjectKey } from '#domain/cart/mutation.ts'
import { dispatchByKind, isKnownKind, type MutationTable } from '#domain/cart/mutation-kinds.ts'
import { personalizationText } from '#domain/cart/order-services.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { unprintableLetters, unprintableTexts } from '#domain/printing/printable-letters.ts'
import { answersToKnownFields } from '#domain/subjects/custom-fields.ts'
import { imageChoiceProblem, imageIdsOf, isBackgroundAllowed, isImageOfSubject } from '../store/image-choice-rules.ts'
import { type SubjectRecord, snapshotImages, subjectSnapshot } from '../store/subject-and-image-queries.ts'
import type { Rejection } from './command.ts'
import type { MutationContext } from './mutation-context.ts'
import { closedRejection, rejections, ruleRejection, unprintableLettersRejection } from './mutation-rejections.ts'

/** A mutation completed with the server's data and the snapshot for its line; or why it is rejected. */
export type ResolvedMutation = { mutation: Mutation; snapshot: MutationSnapshot | null } | { refused: Rejection }

const refuse = (refused: Rejection): ResolvedMutation => ({ refused })

/**
 * Checks a mutation against what only the server knows: packages on offer and their prices, grants, and the owners of images (section 7). A
 * device's prices and names are ignored, except the price a service was shown at. What the cart itself allows is left to the cart rules.
 */
export const resolveMutation = (mutation: Mutation, cart: Cart, context: MutationContext): ResolvedMutation => {
  if (context.closed) return refuse(closedRejection(context.closed))
  if (!isKnownKind(mutation.do)) return refuse(rejections['kind-unknown'])
  return dispatchByKind(truths, mutation, cart, context)
}

/** Left to the cart rules: it changes or removes something in this session's own cart. */
const ofCartAlone = (mutation: Mutation): ResolvedMutation => ({ mutation, snapshot: null })

const resolveAdd = (
  mutation: Mutation & { do: 'line.add' },
  cart: Cart,
  context: MutationContext,
): ResolvedMutation => {
  const linePackage = context.package(mutation.packageId, mutation.packageVersion)
  if (!linePackage) return refuse(rejections['package-gone'])
  if (mutation.subjectId === null && mutation.personId === null) return refuse(ruleRejection('subject-missing', 'open'))
  const subject = context.subject(mutation)
  if (!subject || subject.grantId === null) return refuse(rejections['grant-needed'])
  const textNodes = textsFor(mutation, cart, { linePackage, subject, context })
  if (!textNodes) return refuse(rejections['text-fixed'])
  const refused = wrongIn({ ...mutation, textNodes }, { linePackage, subject, context, screenBefore: null })
  if (refused) return refuse(refused)
  const owned = {
    subjectId: subject.id,
    personId: subject.personId,
    dataFields: fieldsFor(subject.id, mutation, context),
  }
  return {
    mutation: { ...mutation, ...owned, textNodes, packageVersion: linePackage.version },
    snapshot: { package: linePackage, subject: subjectSnapshot(subject), images: imagesOf(mutation, subject, context) },
  }
}

const truthOfContent = (
  mutation: Mutation & { do: 'line.customise' },
  cart: Cart,
  context: MutationContext,
): ResolvedMutation => {
  const line = cart.cartPackages.find((one) => one.lineId === mutation.lineId)
  if (!line) return { mutation, snapshot: null }
  const subject = context.subject(line)
  if (!subject || subject.grantId === null) return refuse(rejections['grant-needed'])
  const linePackage = line.snapshot.package
  const textNodes = textsFor(mutation, cart, { linePackage, subject, context })
  if (!textNodes) return refuse(rejections['text-fixed'])
  const screenBefore = line.greenScreen?.id ?? null
  const refused = wrongIn({ ...mutation, textNodes }, { linePackage, subject, context, screenBefore })
  if (refused) return refuse(refused)
  return {
    mutation: { ...mutation, textNodes, dataFields: fieldsFor(subject.id, mutation, context) },
    snapshot: { ...line.snapshot, images: imagesOf(mutation, subject, context) },
  }
}

const truthOfAccept = (
  mutation: Mutation & { do: 'line.accept' },
  cart: Cart,
  context: MutationContext,
): ResolvedMutation => {
  const line = cart.cartPackages.find((one) => one.lineId === mutation.lineId)
  if (!line) return { mutation, snapshot: null }
  const linePackage = context.package(line.packageId, mutation.packageVersion)
  if (!linePackage) return refuse(rejections['package-gone'])
  return {
    mutation: { ...mutation, packageVersion: linePackage.version },
    snapshot: { ...line.snapshot, package: linePackage },
  }
}

/** The subject under both ids, as the server's cart holds each subject. */
const ownerOf = (owner: SubjectKey, context: MutationContext): SubjectKey => {
  const subject = context.subject(owner)
  return subject ? { subjectId: subject.id, personId: subject.personId } : owner
}

const truthOfService = (
  mutation: Mutation & { do: 'service.set' },
  _: Cart,
  context: MutationContext,
): ResolvedMutation => {
  const subject = context.subject(mutation)
  if (!subject || subject.grantId === null) return refuse(rejections['grant-needed'])
  const picture = mutation.imageLookupId === null ? null : context.image(mutation.imageLookupId)
  if (picture !== null && !isImageOfSubject(picture, 'subject', subject)) return refuse(rejections['picture-gone'])
  const lacking = mutation.personalization ? unprintableLetters(personalizationText(mutation.personalization)) : []
  if (lacking.length > 0) return refuse(unprintableLettersRejection(lacking))
  const { services, ...flags } = context.services
  const service = services.find((one) => one.orderServiceId === mutation.orderServiceId)
  return {
    mutation: { ...mutation, ...ownerOf(mutation, context) },
    snapshot: service ? { service, flags } : null,
  }
}

/** The limit on subjects that one session may type in before it orders; more than any family has. */
const maxTypedSubjects = 20

const resolveTypedSubject = (
  mutation: Mutation & { do: 'person.set' },
  _: Cart,
  context: MutationContext,
): ResolvedMutation => {
  if (context.subjectsAreListed) return refuse(rejections['person-listed'])
  if (mutation.firstName.trim() === '' || mutation.lastName.trim() === '') return refuse(rejections['name-missing'])
  const known = context.subject({ subjectId: null, personId: mutation.personId })
  if (!known && context.typedSubjects >= maxTypedSubjects) return refuse(rejections['people-full'])
  return {
    mutation: { ...mutation, dataFields: answersToKnownFields(context.fields, mutation.dataFields) },
    snapshot: null,
  }
}

const resolvePose = (mutation: Mutation & { do: 'pose.set' }, _: Cart, context: MutationContext): ResolvedMutation => {
  const subject = context.subject({ subjectId: mutation.subjectId, personId: null })
  if (!subject || subject.grantId === null) return refuse(rejections['grant-needed'])
  if (!context.mayChoosePose(subject.id)) return refuse(rejections['pose-closed'])
  if (!isImageOfSubject(context.image(mutation.imageId), 'subject', subject)) return refuse(rejections['picture-gone'])
  return { mutation, snapshot: null }
}

const truths: MutationTable<Mutation, [cart: Cart, context: MutationContext], ResolvedMutation> = {
  'line.add': resolveAdd,
  'line.customise': truthOfContent,
  'line.quantity': ofCartAlone,
  'line.remove': ofCartAlone,
  'line.accept': truthOfAccept,
  'cart.clear': ofCartAlone,
  'service.set': truthOfService,
  'service.remove': (mutation, _, context) => ({
    mutation: { ...mutation, ...ownerOf(mutation, context) },
    snapshot: null,
  }),
  'person.set': resolveTypedSubject,
  'pose.set': resolvePose,
}

type LineContext = { linePackage: Package; subject: SubjectRecord; context: MutationContext }

/** A line's texts with the fixed ones as the studio wrote them; null where one of these was changed. */
const textsFor = (
  { lineId, textNodes }: LineContent & { lineId: string },
  { cartPackages }: Cart,
  { linePackage, subject, context }: LineContext,
): TextChoice[] | null => {
  const others = cartPackages.filter((one) => one.lineId !== lineId && one.packageId === linePackage.id)
  const existingTexts = others.flatMap((one) => one.cartPackageItems).flatMap((item) => item.textNodes)
  return enforceFixedTexts(textNodes, {
    made: linePackage,
    subject: context.known(subject),
    before: cartPackages.find((one) => one.lineId === lineId),
    isKnown: (nodeId, value) =>
      context.isFixedText(linePackage.id, nodeId, value) ||
      existingTexts.some((text) => text.packageItemTextNodeId === nodeId && text.value === value),
  })
}

type LineContentContext = LineContext & { screenBefore: number | null }

const wrongIn = (content: LineContent, about: LineContentContext): Rejection | undefined => {
  const screen = content.greenScreenBackgroundId
  const isOffered = screen !== null && about.context.hasGreenScreen(screen)
  if (!isBackgroundAllowed(screen, { before: about.screenBefore, isOffered })) return rejections['background-gone']
  const wrong = imageChoiceProblem(content.imageNodes, { ...about, imageById: about.context.image })
  if (wrong) return rejections[wrong]
  const [unprintable] = unprintableTexts(about.linePackage, content.textNodes)
  return unprintable && unprintableLettersRejection(unprintable.lacking)
}

const imagesOf = (content: LineContent, subject: SubjectRecord, context: MutationContext) => {
  const ids = content.imageNodes.flatMap(imageIdsOf).map(({ id }) => id)
  return snapshotImages(
    subject,
    [...new Set(ids)].flatMap((id) => context.image(id) ?? []),
  )
}

/** Only fields of the line's own subject, and only those the job asks for. */
const fieldsFor = (subjectId: number, { dataFields }: LineContent, { fields }: MutationContext): DataField[] =>
  answersToKnownFields(fields, dataFields).map((field) => ({ ...field, subjectId }))
