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
export const resolveMutation = (mutation: Mutation, cart: Cart, facts: MutationContext): ResolvedMutation => {
  if (facts.closed) return refuse(closedRejection(facts.closed))
  if (!isKnownKind(mutation.do)) return refuse(rejections['kind-unknown'])
  return dispatchByKind(truths, mutation, cart, facts)
}

/** Left to the cart rules: it changes or removes something in this session's own cart. */
const ofCartAlone = (mutation: Mutation): ResolvedMutation => ({ mutation, snapshot: null })

const truthOfAdd = (mutation: Mutation & { do: 'line.add' }, cart: Cart, facts: MutationContext): ResolvedMutation => {
  const made = facts.package(mutation.packageId, mutation.packageVersion)
  if (!made) return refuse(rejections['package-gone'])
  if (mutation.subjectId === null && mutation.personId === null) return refuse(ruleRejection('subject-missing', 'open'))
  const person = facts.subject(mutation)
  if (!person || person.grantId === null) return refuse(rejections['grant-needed'])
  const textNodes = textsFor(mutation, cart, { made, person, facts })
  if (!textNodes) return refuse(rejections['text-fixed'])
  const refused = wrongIn({ ...mutation, textNodes }, { made, person, facts, screenBefore: null })
  if (refused) return refuse(refused)
  const owned = {
    subjectId: person.id,
    personId: person.personId,
    dataFields: fieldsFor(person.id, mutation, facts),
  }
  return {
    mutation: { ...mutation, ...owned, textNodes, packageVersion: made.version },
    snapshot: { package: made, subject: subjectSnapshot(person), images: picturesOf(mutation, person, facts) },
  }
}

const truthOfContent = (
  mutation: Mutation & { do: 'line.customise' },
  cart: Cart,
  facts: MutationContext,
): ResolvedMutation => {
  const line = cart.cartPackages.find((one) => one.lineId === mutation.lineId)
  if (!line) return { mutation, snapshot: null }
  const person = facts.subject(line)
  if (!person || person.grantId === null) return refuse(rejections['grant-needed'])
  const made = line.snapshot.package
  const textNodes = textsFor(mutation, cart, { made, person, facts })
  if (!textNodes) return refuse(rejections['text-fixed'])
  const screenBefore = line.greenScreen?.id ?? null
  const refused = wrongIn({ ...mutation, textNodes }, { made, person, facts, screenBefore })
  if (refused) return refuse(refused)
  return {
    mutation: { ...mutation, textNodes, dataFields: fieldsFor(person.id, mutation, facts) },
    snapshot: { ...line.snapshot, images: picturesOf(mutation, person, facts) },
  }
}

const truthOfAccept = (
  mutation: Mutation & { do: 'line.accept' },
  cart: Cart,
  facts: MutationContext,
): ResolvedMutation => {
  const line = cart.cartPackages.find((one) => one.lineId === mutation.lineId)
  if (!line) return { mutation, snapshot: null }
  const made = facts.package(line.packageId, mutation.packageVersion)
  if (!made) return refuse(rejections['package-gone'])
  return { mutation: { ...mutation, packageVersion: made.version }, snapshot: { ...line.snapshot, package: made } }
}

/** The subject under both ids, as the server's cart holds each subject. */
const ownerOf = (owner: SubjectKey, facts: MutationContext): SubjectKey => {
  const person = facts.subject(owner)
  return person ? { subjectId: person.id, personId: person.personId } : owner
}

const truthOfService = (
  mutation: Mutation & { do: 'service.set' },
  _: Cart,
  facts: MutationContext,
): ResolvedMutation => {
  const person = facts.subject(mutation)
  if (!person || person.grantId === null) return refuse(rejections['grant-needed'])
  const picture = mutation.imageLookupId === null ? null : facts.image(mutation.imageLookupId)
  if (picture !== null && !isImageOfSubject(picture, 'subject', person)) return refuse(rejections['picture-gone'])
  const lacking = mutation.personalization ? unprintableLetters(personalizationText(mutation.personalization)) : []
  if (lacking.length > 0) return refuse(unprintableLettersRejection(lacking))
  const { services, ...flags } = facts.services
  const service = services.find((one) => one.orderServiceId === mutation.orderServiceId)
  return {
    mutation: { ...mutation, ...ownerOf(mutation, facts) },
    snapshot: service ? { service, flags } : null,
  }
}

/** The limit on subjects that one session may type in before it orders; more than any family has. */
const mostTypedPeople = 20

const truthOfPerson = (
  mutation: Mutation & { do: 'person.set' },
  _: Cart,
  facts: MutationContext,
): ResolvedMutation => {
  if (facts.subjectsAreListed) return refuse(rejections['person-listed'])
  if (mutation.firstName.trim() === '' || mutation.lastName.trim() === '') return refuse(rejections['name-missing'])
  const known = facts.subject({ subjectId: null, personId: mutation.personId })
  if (!known && facts.typedSubjects >= mostTypedPeople) return refuse(rejections['people-full'])
  return {
    mutation: { ...mutation, dataFields: answersToKnownFields(facts.fields, mutation.dataFields) },
    snapshot: null,
  }
}

const truthOfPose = (mutation: Mutation & { do: 'pose.set' }, _: Cart, facts: MutationContext): ResolvedMutation => {
  const person = facts.subject({ subjectId: mutation.subjectId, personId: null })
  if (!person || person.grantId === null) return refuse(rejections['grant-needed'])
  if (!facts.mayChoosePose(person.id)) return refuse(rejections['pose-closed'])
  if (!isImageOfSubject(facts.image(mutation.imageId), 'subject', person)) return refuse(rejections['picture-gone'])
  return { mutation, snapshot: null }
}

const truths: MutationTable<Mutation, [cart: Cart, facts: MutationContext], ResolvedMutation> = {
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

type LineContext = { made: Package; person: SubjectRecord; facts: MutationContext }

/** A line's texts with the fixed ones as the studio wrote them; null where one of these was changed. */
const textsFor = (
  { lineId, textNodes }: LineContent & { lineId: string },
  { cartPackages }: Cart,
  { made, person, facts }: LineContext,
): TextChoice[] | null => {
  const others = cartPackages.filter((one) => one.lineId !== lineId && one.packageId === made.id)
  const standing = others.flatMap((one) => one.cartPackageItems).flatMap((item) => item.textNodes)
  return enforceFixedTexts(textNodes, {
    made,
    subject: facts.known(person),
    before: cartPackages.find((one) => one.lineId === lineId),
    isKnown: (nodeId, value) =>
      facts.isFixedText(made.id, nodeId, value) ||
      standing.some((text) => text.packageItemTextNodeId === nodeId && text.value === value),
  })
}

type LineContentContext = LineContext & { screenBefore: number | null }

const wrongIn = (content: LineContent, about: LineContentContext): Rejection | undefined => {
  const screen = content.greenScreenBackgroundId
  const isOffered = screen !== null && about.facts.hasGreenScreen(screen)
  if (!isBackgroundAllowed(screen, { before: about.screenBefore, isOffered })) return rejections['background-gone']
  const wrong = imageChoiceProblem(content.imageNodes, { ...about, picture: about.facts.image })
  if (wrong) return rejections[wrong]
  const [unprintable] = unprintableTexts(about.made, content.textNodes)
  return unprintable && unprintableLettersRejection(unprintable.lacking)
}

const picturesOf = (content: LineContent, person: SubjectRecord, facts: MutationContext) => {
  const ids = content.imageNodes.flatMap(imageIdsOf).map(({ id }) => id)
  return snapshotImages(
    person,
    [...new Set(ids)].flatMap((id) => facts.image(id) ?? []),
  )
}

/** Only fields of the line's own subject, and only those the job asks for. */
const fieldsFor = (subjectId: number, { dataFields }: LineContent, { fields }: MutationContext): DataField[] =>
  answersToKnownFields(fields, dataFields).map((field) => ({ ...field, subjectId }))
