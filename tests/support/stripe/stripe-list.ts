import { invalidParameter, resourceMissing } from './stripe-error.ts'
import { integerParameter, type StripeForm, stringParameter } from './stripe-form.ts'

/** A page of a list: newest first, `limit` items after `starting_after`. */
export const listPage = <Item extends { id: string }>(
  items: readonly Item[],
  form: StripeForm,
  url: string,
  show: (item: Item) => unknown,
) => {
  const limit = integerParameter(form, 'limit') ?? 10
  if (limit < 1 || limit > 100) throw invalidParameter('limit', 'parameter_invalid_integer')
  const after = stringParameter(form, 'starting_after')
  const newestFirst = items.toReversed()
  const start = after === undefined ? 0 : newestFirst.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && start === 0) throw resourceMissing('starting_after', after)
  const page = newestFirst.slice(start, start + limit)
  return { object: 'list', url, has_more: newestFirst.length > start + limit, data: page.map(show) }
}
