import { email, fixFieldsMessage, isValid, required, validate } from '#domain/shared/validators.ts'

/** The input of the order search (section 3). */
export type OrderSearchModel = { email: string; orderNumber: string }

export const emptyOrderSearch: OrderSearchModel = { email: '', orderNumber: '' }

/** Toast for an order that the server does not have (section 8). */
export const orderNotFoundMessage = 'Could not find this order'

const rules = { orderNumber: required<OrderSearchModel>(), email: email<OrderSearchModel>() }

/** The input without surrounding blanks, which are often pasted along. */
export const trimOrderSearch = (model: OrderSearchModel): OrderSearchModel => ({
  email: model.email.trim(),
  orderNumber: model.orderNumber.trim(),
})

export type OrderSearchErrors = { fields: Record<string, string[]>; form: string | null }

/** The validation messages of an order search; `form` is null if it may be sent. */
export const validateOrderSearch = (model: OrderSearchModel): OrderSearchErrors => {
  const fields = validate(model, rules)
  return { fields, form: isValid(fields) ? null : fixFieldsMessage }
}

/** `failure`: why it is unknown whether the order exists. */
export type OrderSearchResult = { address: string } | 'not-found' | { failure: string }

/** Looks up an order and returns the URL of its screen. */
export type FindOrder = (model: OrderSearchModel) => Promise<OrderSearchResult>
