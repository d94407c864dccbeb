import type { Cart, DataField, LineSnapshot } from '#domain/cart/cart.ts'
import { applyMutation, cartProblemSentences } from '#domain/cart/cart-rules.ts'
import type { LineContent, MadeFrom, Mutation } from '#domain/cart/mutation.ts'
import { wordsToPrint } from '#domain/cart/order-services.ts'
import { lackingSentence, lettersLacking, unprintableTexts } from '#domain/printing/printable-letters.ts'
import { askedAnswers } from '#domain/subjects/custom-fields.ts'
import { type ModelPerson, type ModelShop, personAmong, picturesIn } from './model-job.ts'

/** Why the model will not do something: a name for programs, a sentence for people. */
type Refusal = { problem: string; sentence: string }

/** The world around one mutation. `mayOrderFor` is whom the visit confirmed or typed in. */
export type Around = {
  shop: ModelShop
  cart: Cart
  people: readonly ModelPerson[]
  mayOrderFor: (person: ModelPerson) => boolean
}

type Truth = { mutation: Mutation; made: MadeFrom | null }

const refusals = {
  packageGone: { problem: 'package-gone', sentence: 'This package is not on offer any more' },
  grantNeeded: { problem: 'grant-needed', sentence: 'Please choose and confirm this person first' },
  pictureGone: {
    problem: 'picture-gone',
    sentence: 'This picture is not available any more. Please choose another one',
  },
  backgroundGone: {
    problem: 'background-gone',
    sentence: 'This background is not available any more. Please choose another one',
  },
  personListed: {
    problem: 'person-listed',
    sentence: 'The studio has a list of everybody at this event. Please find this person in it',
  },
  nameMissing: { problem: 'name-missing', sentence: 'Type the first and the last name' },
  peopleFull: { problem: 'people-full', sentence: 'Too many people were typed in here. Order for these first' },
  poseClosed: { problem: 'pose-closed', sentence: 'The yearbook picture can no longer be chosen here' },
  paying: {
    problem: 'cart-closed',
    sentence: 'This cart is being paid for. Wait for that to end before you change it',
  },
} as const satisfies Record<string, Refusal>

const letters = (lacking: readonly string[]): Refusal => ({
  problem: 'letters-lacking',
  sentence: `${lackingSentence(lacking)}. Please write it without`,
})

const mostTypedPeople = 20

/** What a cart becomes by one mutation, as the server decides it; or why it may not. Backgrounds and crops are not known here. */
export const decide = (told: Mutation, around: Around): { cart: Cart; mutation: Mutation } | Refusal => {
  const truth = truthOf(told, around)
  if ('problem' in truth) return truth
  const applied = applyMutation(around.cart, truth.mutation, truth.made)
  if (applied.ok) return { cart: applied.cart, mutation: truth.mutation }
  const isPaying = applied.problem === 'cart-closed' && around.cart.state === 'frozen'
  return isPaying ? refusals.paying : { problem: applied.problem, sentence: cartProblemSentences[applied.problem] }
}

const truthOf = (mutation: Mutation, around: Around): Truth | Refusal => {
  if (mutation.do === 'line.add') return truthOfAdd(mutation, around)
  if (mutation.do === 'line.customise') return truthOfContent(mutation, around)
  if (mutation.do === 'line.accept') return truthOfAccept(mutation, around)
  if (mutation.do === 'service.set') return truthOfService(mutation, around)
  if (mutation.do === 'service.remove') return { mutation: { ...mutation, ...named(mutation, around) }, made: null }
  if (mutation.do === 'person.set') return truthOfPerson(mutation, around)
  if (mutation.do === 'pose.set') return truthOfPose(mutation, around)
  return { mutation, made: null }
}

/** The person under both names, as the server knows everybody; nobody where the visit may not order for them. */
const granted = (
  owner: { subjectId: number | null; personId: string | null },
  { people, mayOrderFor }: Around,
): ModelPerson | undefined => {
  const person = personAmong(people, owner)
  return person && mayOrderFor(person) ? person : undefined
}

const named = (owner: { subjectId: number | null; personId: string | null }, { people }: Around) => {
  const { subjectId, personId } = personAmong(people, owner) ?? owner
  return { subjectId, personId }
}

const truthOfAdd = (mutation: Mutation & { do: 'line.add' }, around: Around): Truth | Refusal => {
  const made = around.shop.package(mutation.packageId, mutation.packageVersion)
  if (!made) return refusals.packageGone
  if (mutation.subjectId === null && mutation.personId === null)
    return { problem: 'subject-missing', sentence: cartProblemSentences['subject-missing'] }
  const person = granted(mutation, around)
  if (!person) return refusals.grantNeeded
  const wrong = wrongIn(mutation, { person, package: made })
  if (wrong) return wrong
  const { subjectId, personId, firstName, lastName } = person
  const dataFields = fieldsFor(mutation, person, around)
  const subject = { firstName, lastName, imageThumbnailUrl: null }
  return {
    mutation: { ...mutation, subjectId, personId, dataFields, packageVersion: made.version },
    made: { package: made, subject, images: picturesOf(mutation, person) },
  }
}

const truthOfContent = (mutation: Mutation & { do: 'line.customise' }, around: Around): Truth | Refusal => {
  const line = around.cart.cartPackages.find((one) => one.lineId === mutation.lineId)
  if (!line) return { mutation, made: null }
  const person = granted(line, around)
  if (!person) return refusals.grantNeeded
  const wrong = wrongIn(mutation, { person, package: line.snapshot.package })
  if (wrong) return wrong
  const dataFields = fieldsFor(mutation, person, around)
  return { mutation: { ...mutation, dataFields }, made: { ...line.snapshot, images: picturesOf(mutation, person) } }
}

const truthOfAccept = (mutation: Mutation & { do: 'line.accept' }, { shop, cart }: Around): Truth | Refusal => {
  const line = cart.cartPackages.find((one) => one.lineId === mutation.lineId)
  if (!line) return { mutation, made: null }
  const made = shop.package(line.packageId, mutation.packageVersion)
  if (!made) return refusals.packageGone
  return { mutation: { ...mutation, packageVersion: made.version }, made: { ...line.snapshot, package: made } }
}

const truthOfService = (mutation: Mutation & { do: 'service.set' }, around: Around): Truth | Refusal => {
  const person = granted(mutation, around)
  if (!person) return refusals.grantNeeded
  if (picturesIn(mutation).some((id) => !person.imageIds.includes(id))) return refusals.pictureGone
  const lacking = mutation.personalization ? lettersLacking(wordsToPrint(mutation.personalization)) : []
  if (lacking.length > 0) return letters(lacking)
  return { mutation: { ...mutation, ...named(mutation, around) }, made: around.shop.service(mutation.orderServiceId) }
}

const truthOfPerson = (mutation: Mutation & { do: 'person.set' }, { shop, cart, people }: Around): Truth | Refusal => {
  if (cart.orderMethod === 'gallery') return refusals.personListed
  if (mutation.firstName.trim() === '' || mutation.lastName.trim() === '') return refusals.nameMissing
  const typed = people.filter((one) => one.personId !== null)
  const isKnown = typed.some((one) => one.personId === mutation.personId)
  if (!isKnown && typed.length >= mostTypedPeople) return refusals.peopleFull
  return { mutation: { ...mutation, dataFields: askedAnswers(shop.fields, mutation.dataFields) }, made: null }
}

const truthOfPose = (mutation: Mutation & { do: 'pose.set' }, around: Around): Truth | Refusal => {
  const person = granted({ subjectId: mutation.subjectId, personId: null }, around)
  if (!person) return refusals.grantNeeded
  if (person.imageIds.length < 2) return refusals.poseClosed
  return person.imageIds.includes(mutation.imageId) ? { mutation, made: null } : refusals.pictureGone
}

type OnLine = { person: ModelPerson; package: LineSnapshot['package'] }

const wrongIn = (content: (Mutation & { do: 'line.add' | 'line.customise' }) & LineContent, on: OnLine) => {
  if (content.greenScreenBackgroundId !== null) return refusals.backgroundGone
  if (picturesIn(content).some((id) => !on.person.imageIds.includes(id))) return refusals.pictureGone
  const [unprintable] = unprintableTexts(on.package, content.textNodes)
  return unprintable && letters(unprintable.lacking)
}

const picturesOf = (mutation: Mutation, { imageIds }: ModelPerson): LineSnapshot['images'] =>
  imageIds
    .filter((id) => picturesIn(mutation).includes(id))
    .map((imageId) => ({ imageId, width: 2400, height: 3000, thumbnailUrl: `/photos/1/${imageId}/thumb-a` }))

/** Fields are the line's own person's, and what the event asks before the picture day. */
const fieldsFor = ({ dataFields }: LineContent, { subjectId }: ModelPerson, { shop, cart }: Around): DataField[] =>
  askedAnswers(cart.orderMethod === 'prepay' ? shop.fields : [], dataFields).map((field) => ({ ...field, subjectId }))
