import type { Cart, DataField, LineSnapshot } from '#domain/cart/cart.ts'
import { applyMutation, cartProblemMessages } from '#domain/cart/cart-rules.ts'
import type { LineContent, Mutation, MutationSnapshot } from '#domain/cart/mutation.ts'
import { personalizationText } from '#domain/cart/order-services.ts'
import { unprintableLetters, unprintableMessage, unprintableTexts } from '#domain/printing/printable-letters.ts'
import { answersToKnownFields } from '#domain/subjects/custom-fields.ts'
import { findModelSubject, imageIdsIn, type ModelJob, type ModelSubject } from './model-job.ts'

/** Why the model rejects a mutation: a problem code for programs, a message for customers. */
type ModelRejection = { problem: string; message: string }

/** What a mutation is decided with. `mayOrderFor` lists the subjects that the session confirmed or typed in. */
export type MutationContext = {
  job: ModelJob
  cart: Cart
  subjects: readonly ModelSubject[]
  mayOrderFor: (person: ModelSubject) => boolean
}

type ResolvedMutation = { mutation: Mutation; made: MutationSnapshot | null }

const rejections = {
  packageGone: { problem: 'package-gone', message: 'This package is not on offer any more' },
  grantNeeded: { problem: 'grant-needed', message: 'Please choose and confirm this person first' },
  pictureGone: {
    problem: 'picture-gone',
    message: 'This picture is not available any more. Please choose another one',
  },
  backgroundGone: {
    problem: 'background-gone',
    message: 'This background is not available any more. Please choose another one',
  },
  personListed: {
    problem: 'person-listed',
    message: 'The studio has a list of everybody at this event. Please find this person in it',
  },
  nameMissing: { problem: 'name-missing', message: 'Type the first and the last name' },
  peopleFull: { problem: 'people-full', message: 'Too many people were typed in here. Order for these first' },
  poseClosed: { problem: 'pose-closed', message: 'The yearbook picture can no longer be chosen here' },
  paying: {
    problem: 'cart-closed',
    message: 'This cart is being paid for. Wait for that to end before you change it',
  },
} as const satisfies Record<string, ModelRejection>

const letters = (lacking: readonly string[]): ModelRejection => ({
  problem: 'letters-lacking',
  message: `${unprintableMessage(lacking)}. Please write it without`,
})

const maxTypedSubjects = 20

/** Returns the cart after one mutation, or the rejection, as the server decides. Does not check backgrounds and crops. */
export const decideMutation = (
  told: Mutation,
  around: MutationContext,
): { cart: Cart; mutation: Mutation } | ModelRejection => {
  const truth = resolveMutation(told, around)
  if ('problem' in truth) return truth
  const applied = applyMutation(around.cart, truth.mutation, truth.made)
  if (applied.ok) return { cart: applied.cart, mutation: truth.mutation }
  const isPaying = applied.problem === 'cart-closed' && around.cart.state === 'frozen'
  return isPaying ? rejections.paying : { problem: applied.problem, message: cartProblemMessages[applied.problem] }
}

const resolveMutation = (mutation: Mutation, around: MutationContext): ResolvedMutation | ModelRejection => {
  if (mutation.do === 'line.add') return resolveAdd(mutation, around)
  if (mutation.do === 'line.customise') return resolveContent(mutation, around)
  if (mutation.do === 'line.accept') return resolveAccept(mutation, around)
  if (mutation.do === 'service.set') return resolveService(mutation, around)
  if (mutation.do === 'service.remove')
    return { mutation: { ...mutation, ...subjectKeyOf(mutation, around) }, made: null }
  if (mutation.do === 'person.set') return resolveSubject(mutation, around)
  if (mutation.do === 'pose.set') return resolveImageChoice(mutation, around)
  return { mutation, made: null }
}

/** The subject under both of its ids; undefined when the session may not order for it. */
const grantedSubject = (
  owner: { subjectId: number | null; personId: string | null },
  { subjects: people, mayOrderFor }: MutationContext,
): ModelSubject | undefined => {
  const person = findModelSubject(people, owner)
  return person && mayOrderFor(person) ? person : undefined
}

const subjectKeyOf = (
  owner: { subjectId: number | null; personId: string | null },
  { subjects: people }: MutationContext,
) => {
  const { subjectId, personId } = findModelSubject(people, owner) ?? owner
  return { subjectId, personId }
}

const resolveAdd = (
  mutation: Mutation & { do: 'line.add' },
  around: MutationContext,
): ResolvedMutation | ModelRejection => {
  const made = around.job.package(mutation.packageId, mutation.packageVersion)
  if (!made) return rejections.packageGone
  if (mutation.subjectId === null && mutation.personId === null)
    return { problem: 'subject-missing', message: cartProblemMessages['subject-missing'] }
  const person = grantedSubject(mutation, around)
  if (!person) return rejections.grantNeeded
  const wrong = contentRejection(mutation, { person, package: made })
  if (wrong) return wrong
  const { subjectId, personId, firstName, lastName } = person
  const dataFields = fieldsFor(mutation, person, around)
  const subject = { firstName, lastName, imageThumbnailUrl: null }
  return {
    mutation: { ...mutation, subjectId, personId, dataFields, packageVersion: made.version },
    made: { package: made, subject, images: snapshotImages(mutation, person) },
  }
}

const resolveContent = (
  mutation: Mutation & { do: 'line.customise' },
  around: MutationContext,
): ResolvedMutation | ModelRejection => {
  const line = around.cart.cartPackages.find((one) => one.lineId === mutation.lineId)
  if (!line) return { mutation, made: null }
  const person = grantedSubject(line, around)
  if (!person) return rejections.grantNeeded
  const wrong = contentRejection(mutation, { person, package: line.snapshot.package })
  if (wrong) return wrong
  const dataFields = fieldsFor(mutation, person, around)
  return { mutation: { ...mutation, dataFields }, made: { ...line.snapshot, images: snapshotImages(mutation, person) } }
}

const resolveAccept = (
  mutation: Mutation & { do: 'line.accept' },
  { job: shop, cart }: MutationContext,
): ResolvedMutation | ModelRejection => {
  const line = cart.cartPackages.find((one) => one.lineId === mutation.lineId)
  if (!line) return { mutation, made: null }
  const made = shop.package(line.packageId, mutation.packageVersion)
  if (!made) return rejections.packageGone
  return { mutation: { ...mutation, packageVersion: made.version }, made: { ...line.snapshot, package: made } }
}

const resolveService = (
  mutation: Mutation & { do: 'service.set' },
  around: MutationContext,
): ResolvedMutation | ModelRejection => {
  const person = grantedSubject(mutation, around)
  if (!person) return rejections.grantNeeded
  if (imageIdsIn(mutation).some((id) => !person.imageIds.includes(id))) return rejections.pictureGone
  const lacking = mutation.personalization ? unprintableLetters(personalizationText(mutation.personalization)) : []
  if (lacking.length > 0) return letters(lacking)
  return {
    mutation: { ...mutation, ...subjectKeyOf(mutation, around) },
    made: around.job.service(mutation.orderServiceId),
  }
}

const resolveSubject = (
  mutation: Mutation & { do: 'person.set' },
  { job: shop, cart, subjects: people }: MutationContext,
): ResolvedMutation | ModelRejection => {
  if (cart.orderMethod === 'gallery') return rejections.personListed
  if (mutation.firstName.trim() === '' || mutation.lastName.trim() === '') return rejections.nameMissing
  const typed = people.filter((one) => one.personId !== null)
  const isKnown = typed.some((one) => one.personId === mutation.personId)
  if (!isKnown && typed.length >= maxTypedSubjects) return rejections.peopleFull
  return { mutation: { ...mutation, dataFields: answersToKnownFields(shop.fields, mutation.dataFields) }, made: null }
}

const resolveImageChoice = (
  mutation: Mutation & { do: 'pose.set' },
  around: MutationContext,
): ResolvedMutation | ModelRejection => {
  const person = grantedSubject({ subjectId: mutation.subjectId, personId: null }, around)
  if (!person) return rejections.grantNeeded
  if (person.imageIds.length < 2) return rejections.poseClosed
  return person.imageIds.includes(mutation.imageId) ? { mutation, made: null } : rejections.pictureGone
}

type LineContext = { person: ModelSubject; package: LineSnapshot['package'] }

const contentRejection = (
  content: (Mutation & { do: 'line.add' | 'line.customise' }) & LineContent,
  on: LineContext,
) => {
  if (content.greenScreenBackgroundId !== null) return rejections.backgroundGone
  if (imageIdsIn(content).some((id) => !on.person.imageIds.includes(id))) return rejections.pictureGone
  const [unprintable] = unprintableTexts(on.package, content.textNodes)
  return unprintable && letters(unprintable.lacking)
}

const snapshotImages = (mutation: Mutation, { imageIds }: ModelSubject): LineSnapshot['images'] =>
  imageIds
    .filter((id) => imageIdsIn(mutation).includes(id))
    .map((imageId) => ({ imageId, width: 2400, height: 3000, thumbnailUrl: `/photos/1/${imageId}/thumb-a` }))

/** The custom fields of the line's subject, and the fields that the job asks for in prepay. */
const fieldsFor = (
  { dataFields }: LineContent,
  { subjectId }: ModelSubject,
  { job: shop, cart }: MutationContext,
): DataField[] =>
  answersToKnownFields(cart.orderMethod === 'prepay' ? shop.fields : [], dataFields).map((field) => ({
    ...field,
    subjectId,
  }))
