import { enums, type Infer } from 'superstruct'

/** The payment providers. A new one does not compile until server and client have its module. */
export const PaymentProviderName = enums(['test', 'stripe'])
export type PaymentProviderName = Infer<typeof PaymentProviderName>
