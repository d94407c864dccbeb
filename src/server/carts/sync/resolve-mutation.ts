import type { Cart, DataField, TextChoice } from '#domain/cart/cart.ts'
import { enforceFixedTexts } from '#domain/cart/fixed-texts.ts'
import type { LineContent, Mutation, MutationOf, MutationSnapshot, SubjectKey } from '#domain/cart/mutation.ts'
import { personalizationText } from '#domain/cart/order-services.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { unprintableLetters, unprintableTexts } from '#domain/printing/printable-letters.ts'
import { answersToKnownFields } from '#domain/subjects/custom-fields.ts'
import { imageChoiceProblem, isBackgroundAllowed, isImageOfSubject, usedImageIds } from '../store/image-choice-rules.ts'
import { type SubjectRecord, snapshotImages, subjectSnapshot } from '../store/subject-and-image-queries.ts'
import type { Rejection } from './command.ts'
import type { MutationContext } from './mutation-context.ts'
import { rejections, ruleRejection, unprintableLettersRejection } from './mutation-rejections.ts'

/** A mutation completed with the server's data and the snapshot for its line; or why it is rejected. */
export type ResolvedMutation = { mutation: Mutation; snapshot: MutationSnapshot | null } | { refused: Rejection }

const reject = (rejection: Rejection): ResolvedMutation => ({ refused: rejection })

/** Leaves a mutation to the cart rules, because it only changes or removes something in this session's own cart. */
export const resolveUnchanged = (mutation: Mutation): ResolvedMutation => ({ mutation, snapshot: null })

export const resolveAdd = (
  mutation: MutationOf<'line.add'>,
  cart: Cart,
  context: MutationContext,
): ResolvedMutation => {
  const linePackage = context.package(mutation.packageId, mutation.packageVersion)
  if (!linePackage) return reject(rejections['package-gone'])
  if (mutation.subjectId === null && mutation.personId === null) return reject(ruleRejection('subject-missing', 'open'))
  const subject = context.subject(mutation)
  if (!subject || subject.grantId === null) return reject(rejections['grant-needed'])
  const textNodes = completeTexts(mutation, cart, { linePackage, subject, context })
  if (!textNodes) return reject(rejections['text-fixed'])
  const rejection = findRejection(
    { ...mutation, textNodes },
    { linePackage, subject, context, greenScreenBefore: null },
  )
  if (rejection) return reject(rejection)
  const subjectValues = {
    subjectId: subject.id,
    personId: subject.personId,
    dataFields: completeFields(subject.id, mutation, context),
  }
  return {
    mutation: { ...mutation, ...subjectValues, textNodes, packageVersion: linePackage.version },
    snapshot: {
      package: linePackage,
      subject: subjectSnapshot(subject),
      images: snapshotImagesOf(mutation, subject, context),
    },
  }
}

export const resolveContent = (
  mutation: MutationOf<'line.customise'>,
  cart: Cart,
  context: MutationContext,
): ResolvedMutation => {
  const line = cart.cartPackages.find(({ lineId }) => lineId === mutation.lineId)
  if (!line) return { mutation, snapshot: null }
  const subject = context.subject(line)
  if (!subject || subject.grantId === null) return reject(rejections['grant-needed'])
  const linePackage = line.snapshot.package
  const textNodes = completeTexts(mutation, cart, { linePackage, subject, context })
  if (!textNodes) return reject(rejections['text-fixed'])
  const greenScreenBefore = line.greenScreen?.id ?? null
  const rejection = findRejection({ ...mutation, textNodes }, { linePackage, subject, context, greenScreenBefore })
  if (rejection) return reject(rejection)
  return {
    mutation: { ...mutation, textNodes, dataFields: completeFields(subject.id, mutation, context) },
    snapshot: { ...line.snapshot, images: snapshotImagesOf(mutation, subject, context) },
  }
}

export const resolveAccept = (
  mutation: MutationOf<'line.accept'>,
  cart: Cart,
  context: MutationContext,
): ResolvedMutation => {
  const line = cart.cartPackages.find(({ lineId }) => lineId === mutation.lineId)
  if (!line) return { mutation, snapshot: null }
  const linePackage = context.package(line.packageId, mutation.packageVersion)
  if (!linePackage) return reject(rejections['package-gone'])
  return {
    mutation: { ...mutation, packageVersion: linePackage.version },
    snapshot: { ...line.snapshot, package: linePackage },
  }
}

/** Completes the subject with both of its ids, which every subject has in the server's cart. */
const completeOwner = (owner: SubjectKey, context: MutationContext): SubjectKey => {
  const subject = context.subject(owner)
  return subject ? { subjectId: subject.id, personId: subject.personId } : owner
}

export const resolveService = (
  mutation: MutationOf<'service.set'>,
  _: Cart,
  context: MutationContext,
): ResolvedMutation => {
  const subject = context.subject(mutation)
  if (!subject || subject.grantId === null) return reject(rejections['grant-needed'])
  const image = mutation.imageLookupId === null ? null : context.image(mutation.imageLookupId)
  if (image !== null && !isImageOfSubject(image, 'subject', subject)) return reject(rejections['picture-gone'])
  const unprintable = mutation.personalization ? unprintableLetters(personalizationText(mutation.personalization)) : []
  if (unprintable.length > 0) return reject(unprintableLettersRejection(unprintable))
  const { services, ...flags } = context.services
  const service = services.find(({ orderServiceId }) => orderServiceId === mutation.orderServiceId)
  return {
    mutation: { ...mutation, ...completeOwner(mutation, context) },
    snapshot: service ? { service, flags } : null,
  }
}

/** The limit on subjects that one session may type in before it orders, above the size of any family. */
const maxTypedSubjects = 20

export const resolveTypedSubject = (
  mutation: MutationOf<'person.set'>,
  _: Cart,
  context: MutationContext,
): ResolvedMutation => {
  if (context.subjectsAreListed) return reject(rejections['person-listed'])
  if (mutation.firstName.trim() === '' || mutation.lastName.trim() === '') return reject(rejections['name-missing'])
  const existingSubject = context.subject({ subjectId: null, personId: mutation.personId })
  if (!existingSubject && context.typedSubjects >= maxTypedSubjects) return reject(rejections['people-full'])
  return {
    mutation: { ...mutation, dataFields: answersToKnownFields(context.fields, mutation.dataFields) },
    snapshot: null,
  }
}

export const resolvePose = (mutation: MutationOf<'pose.set'>, _: Cart, context: MutationContext): ResolvedMutation => {
  const subject = context.subject({ subjectId: mutation.subjectId, personId: null })
  if (!subject || subject.grantId === null) return reject(rejections['grant-needed'])
  if (!context.mayChoosePose(subject.id)) return reject(rejections['pose-closed'])
  if (!isImageOfSubject(context.image(mutation.imageId), 'subject', subject)) return reject(rejections['picture-gone'])
  return { mutation, snapshot: null }
}

export const resolveServiceRemoval = (
  mutation: MutationOf<'service.remove'>,
  _: Cart,
  context: MutationContext,
): ResolvedMutation => ({ mutation: { ...mutation, ...completeOwner(mutation, context) }, snapshot: null })

type LineContext = { linePackage: Package; subject: SubjectRecord; context: MutationContext }

/** Completes a line's texts with the fixed ones of the studio; null if the customer changed a fixed text. */
const completeTexts = (
  { lineId, textNodes }: LineContent & { lineId: string },
  { cartPackages }: Cart,
  { linePackage, subject, context }: LineContext,
): TextChoice[] | null => {
  const otherLines = cartPackages.filter((line) => line.lineId !== lineId && line.packageId === linePackage.id)
  const existingTexts = otherLines.flatMap((line) => line.cartPackageItems).flatMap((item) => item.textNodes)
  return enforceFixedTexts(textNodes, {
    definition: linePackage,
    subject: context.autofillSubject(subject),
    before: cartPackages.find((line) => line.lineId === lineId),
    isKnown: (nodeId, value) =>
      context.isFixedText(linePackage.id, nodeId, value) ||
      existingTexts.some((text) => text.packageItemTextNodeId === nodeId && text.value === value),
  })
}

type LineContentContext = LineContext & { greenScreenBefore: number | null }

const findRejection = (content: LineContent, lineContext: LineContentContext): Rejection | undefined => {
  const greenScreenId = content.greenScreenBackgroundId
  const isOffered = greenScreenId !== null && lineContext.context.hasGreenScreen(greenScreenId)
  if (!isBackgroundAllowed(greenScreenId, { before: lineContext.greenScreenBefore, isOffered }))
    return rejections['background-gone']
  const imageProblem = imageChoiceProblem(content.imageNodes, { ...lineContext, imageById: lineContext.context.image })
  if (imageProblem) return rejections[imageProblem]
  const [unprintable] = unprintableTexts(lineContext.linePackage, content.textNodes)
  return unprintable && unprintableLettersRejection(unprintable.lacking)
}

const snapshotImagesOf = (content: LineContent, subject: SubjectRecord, context: MutationContext) => {
  const images = usedImageIds(content.imageNodes).flatMap((id) => context.image(id) ?? [])
  return snapshotImages(subject, images)
}

/** Keeps only the fields that the job asks for, and assigns them to the line's own subject. */
const completeFields = (subjectId: number, { dataFields }: LineContent, { fields }: MutationContext): DataField[] =>
  answersToKnownFields(fields, dataFields).map((field) => ({ ...field, subjectId }))
