import type { Mutation } from '#domain/cart/mutation.ts'
import { autofillPackageTexts } from '#domain/catalogue/refresh-autofill.ts'
import type { MutationContext } from './mutation-context.ts'

/** Fills in the texts of a new line that the request omitted, from the subject's fields, as a device would have done (section 5). */
export const autofillLine = (mutation: Mutation, facts: MutationContext): Mutation => {
  if (mutation.do !== 'line.add') return mutation
  const made = facts.package(mutation.packageId, mutation.packageVersion)
  const person = facts.subject(mutation)
  if (!made || !person) return mutation
  return { ...mutation, textNodes: autofillPackageTexts(made, mutation.textNodes, facts.known(person)) }
}
