import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import { applyMutation } from '#domain/cart/mutations.ts'
import { autofillPackageTexts } from '#domain/catalogue/refresh-autofill.ts'
import { type CartCommand, type Rejection, rejectedResult } from './command.ts'
import type { MutationContext } from './mutation-context.ts'
import { resolveMutation } from './mutation-handlers.ts'
import { ruleRejection } from './mutation-rejections.ts'

/** The cart and its context as last read; valid until the cart's version or the job's number of changes differs. */
export type CartSnapshot = { readonly cart: Cart; readonly context: MutationContext }

/** Applies one mutation. Returns the changed cart and the applied mutation, or the reason for a rejection. */
const applyToCart = (
  mutation: Mutation,
  { cart, context }: CartSnapshot,
): { cart: Cart; applied: Mutation } | Rejection => {
  const resolved = resolveMutation(mutation, cart, context)
  if ('refused' in resolved) return resolved.refused
  const applied = applyMutation(cart, resolved.mutation, resolved.snapshot)
  return applied.ok ? { cart: applied.cart, applied: resolved.mutation } : ruleRejection(applied.problem, cart.state)
}

/**
 * Autofills the texts that a request for a new line omitted, from the subject's fields, as a device does (section 5).
 */
const autofillLine = (mutation: Mutation, context: MutationContext): Mutation => {
  if (mutation.do !== 'line.add') return mutation
  const linePackage = context.package(mutation.packageId, mutation.packageVersion)
  const subject = context.subject(mutation)
  if (!linePackage || !subject) return mutation
  return {
    ...mutation,
    textNodes: autofillPackageTexts(linePackage, mutation.textNodes, context.autofillSubject(subject)),
  }
}

export type CommandOutcome = { result: MutationResult; cart: Cart; appliedMutations: readonly Mutation[] }

/**
 * Applies the mutations of a command to a cart. All of them take effect, or the command is rejected and none does.
 */
export const applyToSnapshot = (
  { id, mutations, autofills }: CartCommand,
  { cart, context }: CartSnapshot,
): CommandOutcome => {
  const requested = mutations(cart)
  const completed = autofills ? requested.map((mutation) => autofillLine(mutation, context)) : requested
  if (completed.length === 0)
    return { result: rejectedResult(id, ruleRejection('line-unknown', cart.state)), cart, appliedMutations: [] }
  let after = cart
  const appliedMutations: Mutation[] = []
  for (const mutation of completed) {
    const outcome = applyToCart(mutation, { cart: after, context })
    if ('problem' in outcome) {
      // An earlier mutation of this command removed the line, which only happens to add-ons.
      const wasRemovedBefore = after !== cart && outcome.problem === 'line-unknown'
      return {
        result: rejectedResult(id, wasRemovedBefore ? ruleRejection('add-on-needs-standard', cart.state) : outcome),
        cart,
        appliedMutations: [],
      }
    }
    after = outcome.cart
    appliedMutations.push(outcome.applied)
  }
  return { result: { id, status: 'done' }, cart: { ...after, version: cart.version + 1 }, appliedMutations }
}
