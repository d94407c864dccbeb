import { email, fixFieldsMessage, isValid, required, validate } from '#domain/shared/validators.ts'

/** What the order search asks for (section 3). */
export type OrderSearchModel = { email: string; orderNumber: string }

export const emptyOrderSearch: OrderSearchModel = { email: '', orderNumber: '' }

/** Said in a toast when the server has no such order (section 8). */
export const orderNotFound = 'Could not find this order'

const rules = { orderNumber: required<OrderSearchModel>(), email: email<OrderSearchModel>() }

/** A model without the blanks people paste along. */
export const trimOrderSearch = (model: OrderSearchModel): OrderSearchModel => ({
  email: model.email.trim(),
  orderNumber: model.orderNumber.trim(),
})

export type OrderSearchErrors = { fields: Record<string, string[]>; form: string | null }

/** The messages of an order search; `form` is null when it may be sent. */
export const validateOrderSearch = (model: OrderSearchModel): OrderSearchErrors => {
  const fields = validate(model, rules)
  return { fields, form: isValid(fields) ? null : fixFieldsMessage }
}

/** `failure`: why it is not known whether there is such an order. */
export type OrderSearchResult = { address: string } | 'not-found' | { failure: string }

/** Looks an order up and answers the address of its screen. */
export type FindOrder = (model: OrderSearchModel) => Promise<OrderSearchResult>
