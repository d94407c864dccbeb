import type { Cart, DataField, TextChoice } from '#domain/cart/cart.ts'
import { withFixedTexts } from '#domain/cart/fixed-texts.ts'
import type { LineContent, MadeFrom, Mutation, Owner } from '#domain/cart/mutation.ts'
import { forKind, isKnownKind, type PerKind } from '#domain/cart/mutation-kinds.ts'
import { wordsToPrint } from '#domain/cart/order-services.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { lettersLacking, unprintableTexts } from '#domain/printing/printable-letters.ts'
import { askedAnswers } from '#domain/subjects/custom-fields.ts'
import { isOf, mayHaveBackground, pictureIds, wrongPicture } from '../store/image-choice-rules.ts'
import { imageFacts, namedPerson, type PersonFact } from '../store/subject-and-image-queries.ts'
import type { Refusal } from './command.ts'
import type { Facts } from './mutation-context.ts'
import { closedRefusal, lettersRefusal, refusals, ruleRefusal } from './mutation-rejections.ts'

/** A mutation as the server knows it to be, with what its line is made from; or why it may not be. */
export type Truth = { mutation: Mutation; snapshot: MadeFrom | null } | { refused: Refusal }

const refuse = (refused: Refusal): Truth => ({ refused })

/**
 * Holds a mutation against what only the server knows: what is on offer and at what price, who was granted, whose the pictures are
 * (section 7). Nothing the device says of a price or a name is taken, but for what a service was shown to cost. What the cart itself allows is for the cart rules.
 */
export const truthOf = (mutation: Mutation, cart: Cart, facts: Facts): Truth => {
  if (facts.closed) return refuse(closedRefusal(facts.closed))
  if (!isKnownKind(mutation.do)) return refuse(refusals['kind-unknown'])
  return forKind(truths, mutation, cart, facts)
}

/** What only the cart rules decide on: it changes or takes out what this visit's own cart holds. */
const ofCartAlone = (mutation: Mutation): Truth => ({ mutation, snapshot: null })

const truthOfAdd = (mutation: Mutation & { do: 'line.add' }, cart: Cart, facts: Facts): Truth => {
  const made = facts.package(mutation.packageId, mutation.packageVersion)
  if (!made) return refuse(refusals['package-gone'])
  if (mutation.subjectId === null && mutation.personId === null) return refuse(ruleRefusal('subject-missing', 'open'))
  const person = facts.person(mutation)
  if (!person || person.grantId === null) return refuse(refusals['grant-needed'])
  const textNodes = textsFor(mutation, cart, { made, person, facts })
  if (!textNodes) return refuse(refusals['text-fixed'])
  const refused = wrongIn({ ...mutation, textNodes }, { made, person, facts, screenBefore: null })
  if (refused) return refuse(refused)
  const owned = {
    subjectId: person.id,
    personId: person.personId,
    dataFields: fieldsFor(person.id, mutation, facts),
  }
  return {
    mutation: { ...mutation, ...owned, textNodes, packageVersion: made.version },
    snapshot: { package: made, subject: namedPerson(person), images: picturesOf(mutation, person, facts) },
  }
}

const truthOfContent = (mutation: Mutation & { do: 'line.customise' }, cart: Cart, facts: Facts): Truth => {
  const line = cart.cartPackages.find((one) => one.lineId === mutation.lineId)
  if (!line) return { mutation, snapshot: null }
  const person = facts.person(line)
  if (!person || person.grantId === null) return refuse(refusals['grant-needed'])
  const made = line.snapshot.package
  const textNodes = textsFor(mutation, cart, { made, person, facts })
  if (!textNodes) return refuse(refusals['text-fixed'])
  const screenBefore = line.greenScreen?.id ?? null
  const refused = wrongIn({ ...mutation, textNodes }, { made, person, facts, screenBefore })
  if (refused) return refuse(refused)
  return {
    mutation: { ...mutation, textNodes, dataFields: fieldsFor(person.id, mutation, facts) },
    snapshot: { ...line.snapshot, images: picturesOf(mutation, person, facts) },
  }
}

const truthOfAccept = (mutation: Mutation & { do: 'line.accept' }, cart: Cart, facts: Facts): Truth => {
  const line = cart.cartPackages.find((one) => one.lineId === mutation.lineId)
  if (!line) return { mutation, snapshot: null }
  const made = facts.package(line.packageId, mutation.packageVersion)
  if (!made) return refuse(refusals['package-gone'])
  return { mutation: { ...mutation, packageVersion: made.version }, snapshot: { ...line.snapshot, package: made } }
}

/** A person under both names, as the server's cart knows everybody. */
const ownerOf = (owner: Owner, facts: Facts): Owner => {
  const person = facts.person(owner)
  return person ? { subjectId: person.id, personId: person.personId } : owner
}

const truthOfService = (mutation: Mutation & { do: 'service.set' }, _: Cart, facts: Facts): Truth => {
  const person = facts.person(mutation)
  if (!person || person.grantId === null) return refuse(refusals['grant-needed'])
  const picture = mutation.imageLookupId === null ? null : facts.picture(mutation.imageLookupId)
  if (picture !== null && !isOf(picture, 'subject', person)) return refuse(refusals['picture-gone'])
  const lacking = mutation.personalization ? lettersLacking(wordsToPrint(mutation.personalization)) : []
  if (lacking.length > 0) return refuse(lettersRefusal(lacking))
  const { services, ...flags } = facts.services
  const service = services.find((one) => one.orderServiceId === mutation.orderServiceId)
  return {
    mutation: { ...mutation, ...ownerOf(mutation, facts) },
    snapshot: service ? { service, flags } : null,
  }
}

/** Most people one visit may type in before it orders; more than any family has. */
const mostTypedPeople = 20

const truthOfPerson = (mutation: Mutation & { do: 'person.set' }, _: Cart, facts: Facts): Truth => {
  if (facts.peopleAreListed) return refuse(refusals['person-listed'])
  if (mutation.firstName.trim() === '' || mutation.lastName.trim() === '') return refuse(refusals['name-missing'])
  const known = facts.person({ subjectId: null, personId: mutation.personId })
  if (!known && facts.typedPeople >= mostTypedPeople) return refuse(refusals['people-full'])
  return { mutation: { ...mutation, dataFields: askedAnswers(facts.fields, mutation.dataFields) }, snapshot: null }
}

const truthOfPose = (mutation: Mutation & { do: 'pose.set' }, _: Cart, facts: Facts): Truth => {
  const person = facts.person({ subjectId: mutation.subjectId, personId: null })
  if (!person || person.grantId === null) return refuse(refusals['grant-needed'])
  if (!facts.mayPose(person.id)) return refuse(refusals['pose-closed'])
  if (!isOf(facts.picture(mutation.imageId), 'subject', person)) return refuse(refusals['picture-gone'])
  return { mutation, snapshot: null }
}

const truths: PerKind<Mutation, [cart: Cart, facts: Facts], Truth> = {
  'line.add': truthOfAdd,
  'line.customise': truthOfContent,
  'line.quantity': ofCartAlone,
  'line.remove': ofCartAlone,
  'line.accept': truthOfAccept,
  'cart.clear': ofCartAlone,
  'service.set': truthOfService,
  'service.remove': (mutation, _, facts) => ({
    mutation: { ...mutation, ...ownerOf(mutation, facts) },
    snapshot: null,
  }),
  'person.set': truthOfPerson,
  'pose.set': truthOfPose,
}

type OfLine = { made: Package; person: PersonFact; facts: Facts }

/** A line's texts with those nobody may edit as they have to be; null where one of these was changed. */
const textsFor = (
  { lineId, textNodes }: LineContent & { lineId: string },
  { cartPackages }: Cart,
  { made, person, facts }: OfLine,
): TextChoice[] | null => {
  const others = cartPackages.filter((one) => one.lineId !== lineId && one.packageId === made.id)
  const standing = others.flatMap((one) => one.cartPackageItems).flatMap((item) => item.textNodes)
  return withFixedTexts(textNodes, {
    made,
    subject: facts.known(person),
    before: cartPackages.find((one) => one.lineId === lineId),
    isKnown: (nodeId, value) =>
      facts.isFixedText(made.id, nodeId, value) ||
      standing.some((text) => text.packageItemTextNodeId === nodeId && text.value === value),
  })
}

type About = OfLine & { screenBefore: number | null }

const wrongIn = (content: LineContent, about: About): Refusal | undefined => {
  const screen = content.greenScreenBackgroundId
  const isOffered = screen !== null && about.facts.hasScreen(screen)
  if (!mayHaveBackground(screen, { before: about.screenBefore, isOffered })) return refusals['background-gone']
  const wrong = wrongPicture(content.imageNodes, { ...about, picture: about.facts.picture })
  if (wrong) return refusals[wrong]
  const [unprintable] = unprintableTexts(about.made, content.textNodes)
  return unprintable && lettersRefusal(unprintable.lacking)
}

const picturesOf = (content: LineContent, person: PersonFact, facts: Facts) => {
  const ids = content.imageNodes.flatMap(pictureIds).map(({ id }) => id)
  return imageFacts(
    person,
    [...new Set(ids)].flatMap((id) => facts.picture(id) ?? []),
  )
}

/** Fields are the line's own person's, and what the job asks. */
const fieldsFor = (subjectId: number, { dataFields }: LineContent, { fields }: Facts): DataField[] =>
  askedAnswers(fields, dataFields).map((field) => ({ ...field, subjectId }))
