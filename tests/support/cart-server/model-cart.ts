import type { Cart, DataField, LineSnapshot } from '#domain/cart/cart.ts'
import { cartProblemMessages } from '#domain/cart/cart-rules.ts'
import type { LineContent, Mutation, MutationSnapshot } from '#domain/cart/mutation.ts'
import { applyMutation } from '#domain/cart/mutations.ts'
import { personalizationText } from '#domain/cart/order-services.ts'
import { unprintableLetters, unprintableMessage, unprintableTexts } from '#domain/printing/printable-letters.ts'
import { answersToKnownFields } from '#domain/subjects/custom-fields.ts'
import { findModelSubject, imageIdsIn, type ModelJob, type ModelSubject } from './model-job.ts'

/** A rejection by the model server: a problem code for programs, and a message for customers. */
type ModelRejection = { problem: string; message: string }

/**
 * The state that a mutation is checked against and applied to. `mayOrderFor` is true for the subjects that the session
 * confirmed or typed.
 */
export type MutationContext = {
  job: ModelJob
  cart: Cart
  subjects: readonly ModelSubject[]
  mayOrderFor: (subject: ModelSubject) => boolean
}

/** A mutation completed with the server's data, and the snapshot that it is applied with. */
type ResolvedMutation = { mutation: Mutation; snapshot: MutationSnapshot | null }

const rejections = {
  packageGone: { problem: 'package-gone', message: 'This package is no longer offered' },
  grantNeeded: { problem: 'grant-needed', message: 'Please choose and confirm this child first' },
  pictureGone: {
    problem: 'picture-gone',
    message: 'This photo is no longer available. Please choose another one',
  },
  backgroundGone: {
    problem: 'background-gone',
    message: 'This background is no longer available. Please choose another one',
  },
  personListed: {
    problem: 'person-listed',
    message: 'The studio has a list for this event. Please find this child in it',
  },
  nameMissing: { problem: 'name-missing', message: 'Type the first and the last name' },
  peopleFull: { problem: 'people-full', message: 'Too many people were typed in here. Order for these first' },
  poseClosed: { problem: 'pose-closed', message: 'The yearbook photo can no longer be chosen here' },
  paying: {
    problem: 'cart-closed',
    message: 'This cart is being paid for. You can’t change it until the payment is finished',
  },
} as const satisfies Record<string, ModelRejection>

const unprintableRejection = (missingLetters: readonly string[]): ModelRejection => ({
  problem: 'letters-lacking',
  message: `${unprintableMessage(missingLetters)}. Please write it without`,
})

const maxTypedSubjects = 20

/**
 * Applies a mutation as the server does: returns the new cart and the mutation as applied, or a rejection. Skips the
 * checks of crops, of fixed texts and of which images a node accepts, and rejects every background.
 */
export const applyAsServer = (
  mutation: Mutation,
  context: MutationContext,
): { cart: Cart; mutation: Mutation } | ModelRejection => {
  const resolved = resolveMutation(mutation, context)
  if ('problem' in resolved) return resolved
  const applied = applyMutation(context.cart, resolved.mutation, resolved.snapshot)
  if (applied.ok) return { cart: applied.cart, mutation: resolved.mutation }
  const isPaying = applied.problem === 'cart-closed' && context.cart.state === 'frozen'
  return isPaying ? rejections.paying : { problem: applied.problem, message: cartProblemMessages[applied.problem] }
}

const resolveMutation = (mutation: Mutation, context: MutationContext): ResolvedMutation | ModelRejection => {
  if (mutation.do === 'line.add') return resolveAdd(mutation, context)
  if (mutation.do === 'line.customise') return resolveContent(mutation, context)
  if (mutation.do === 'line.accept') return resolveAccept(mutation, context)
  if (mutation.do === 'service.set') return resolveService(mutation, context)
  if (mutation.do === 'service.remove')
    return { mutation: { ...mutation, ...subjectKeyOf(mutation, context) }, snapshot: null }
  if (mutation.do === 'person.set') return resolveSubject(mutation, context)
  if (mutation.do === 'pose.set') return resolveImageChoice(mutation, context)
  return { mutation, snapshot: null }
}

/** The subject with this id; undefined if there is none, or the session may not order for it. */
const grantedSubject = (
  owner: { subjectId: number | null; personId: string | null },
  { subjects, mayOrderFor }: MutationContext,
): ModelSubject | undefined => {
  const subject = findModelSubject(subjects, owner)
  return subject && mayOrderFor(subject) ? subject : undefined
}

/** Both ids of the subject that `key` names, possibly by only one of them. */
const subjectKeyOf = (key: { subjectId: number | null; personId: string | null }, { subjects }: MutationContext) => {
  const { subjectId, personId } = findModelSubject(subjects, key) ?? key
  return { subjectId, personId }
}

const resolveAdd = (
  mutation: Mutation & { do: 'line.add' },
  context: MutationContext,
): ResolvedMutation | ModelRejection => {
  const offeredPackage = context.job.package(mutation.packageId, mutation.packageVersion)
  if (!offeredPackage) return rejections.packageGone
  if (mutation.subjectId === null && mutation.personId === null)
    return { problem: 'subject-missing', message: cartProblemMessages['subject-missing'] }
  const subject = grantedSubject(mutation, context)
  if (!subject) return rejections.grantNeeded
  const rejection = contentRejection(mutation, { subject, package: offeredPackage })
  if (rejection) return rejection
  const { subjectId, personId, firstName, lastName } = subject
  const dataFields = knownAnswers(mutation, subject, context)
  const snapshotSubject = { firstName, lastName, imageThumbnailUrl: null }
  return {
    mutation: { ...mutation, subjectId, personId, dataFields, packageVersion: offeredPackage.version },
    snapshot: { package: offeredPackage, subject: snapshotSubject, images: snapshotImages(mutation, subject) },
  }
}

const resolveContent = (
  mutation: Mutation & { do: 'line.customise' },
  context: MutationContext,
): ResolvedMutation | ModelRejection => {
  const line = context.cart.cartPackages.find((cartLine) => cartLine.lineId === mutation.lineId)
  if (!line) return { mutation, snapshot: null }
  const subject = grantedSubject(line, context)
  if (!subject) return rejections.grantNeeded
  const rejection = contentRejection(mutation, { subject, package: line.snapshot.package })
  if (rejection) return rejection
  const dataFields = knownAnswers(mutation, subject, context)
  return {
    mutation: { ...mutation, dataFields },
    snapshot: { ...line.snapshot, images: snapshotImages(mutation, subject) },
  }
}

const resolveAccept = (
  mutation: Mutation & { do: 'line.accept' },
  { job, cart }: MutationContext,
): ResolvedMutation | ModelRejection => {
  const line = cart.cartPackages.find((cartLine) => cartLine.lineId === mutation.lineId)
  if (!line) return { mutation, snapshot: null }
  const offeredPackage = job.package(line.packageId, mutation.packageVersion)
  if (!offeredPackage) return rejections.packageGone
  return {
    mutation: { ...mutation, packageVersion: offeredPackage.version },
    snapshot: { ...line.snapshot, package: offeredPackage },
  }
}

const resolveService = (
  mutation: Mutation & { do: 'service.set' },
  context: MutationContext,
): ResolvedMutation | ModelRejection => {
  const subject = grantedSubject(mutation, context)
  if (!subject) return rejections.grantNeeded
  if (imageIdsIn(mutation).some((id) => !subject.imageIds.includes(id))) return rejections.pictureGone
  const missingLetters = mutation.personalization
    ? unprintableLetters(personalizationText(mutation.personalization))
    : []
  if (missingLetters.length > 0) return unprintableRejection(missingLetters)
  return {
    mutation: { ...mutation, ...subjectKeyOf(mutation, context) },
    snapshot: context.job.service(mutation.orderServiceId),
  }
}

const resolveSubject = (
  mutation: Mutation & { do: 'person.set' },
  { job, cart, subjects }: MutationContext,
): ResolvedMutation | ModelRejection => {
  if (cart.orderMethod === 'gallery') return rejections.personListed
  if (mutation.firstName.trim() === '' || mutation.lastName.trim() === '') return rejections.nameMissing
  const typedSubjects = subjects.filter((subject) => subject.personId !== null)
  const isKnown = typedSubjects.some((subject) => subject.personId === mutation.personId)
  if (!isKnown && typedSubjects.length >= maxTypedSubjects) return rejections.peopleFull
  return {
    mutation: { ...mutation, dataFields: answersToKnownFields(job.fields, mutation.dataFields) },
    snapshot: null,
  }
}

const resolveImageChoice = (
  mutation: Mutation & { do: 'pose.set' },
  context: MutationContext,
): ResolvedMutation | ModelRejection => {
  const subject = grantedSubject({ subjectId: mutation.subjectId, personId: null }, context)
  if (!subject) return rejections.grantNeeded
  if (subject.imageIds.length < 2) return rejections.poseClosed
  return subject.imageIds.includes(mutation.imageId) ? { mutation, snapshot: null } : rejections.pictureGone
}

type LineContext = { subject: ModelSubject; package: LineSnapshot['package'] }

/** Why the content of a line is rejected; undefined if it is valid. */
const contentRejection = (
  content: (Mutation & { do: 'line.add' | 'line.customise' }) & LineContent,
  line: LineContext,
) => {
  if (content.greenScreenBackgroundId !== null) return rejections.backgroundGone
  if (imageIdsIn(content).some((id) => !line.subject.imageIds.includes(id))) return rejections.pictureGone
  const [unprintable] = unprintableTexts(line.package, content.textNodes)
  return unprintable && unprintableRejection(unprintable.lacking)
}

const snapshotImages = (mutation: Mutation, { imageIds }: ModelSubject): LineSnapshot['images'] =>
  imageIds
    .filter((id) => imageIdsIn(mutation).includes(id))
    .map((imageId) => ({ imageId, width: 2400, height: 3000, thumbnailUrl: `/photos/1/${imageId}/thumb-a` }))

/** The answers to the job's custom fields, for the line's subject. Only prepay has custom fields. */
const knownAnswers = (
  { dataFields }: LineContent,
  { subjectId }: ModelSubject,
  { job, cart }: MutationContext,
): DataField[] =>
  answersToKnownFields(cart.orderMethod === 'prepay' ? job.fields : [], dataFields).map((field) => ({
    ...field,
    subjectId,
  }))
