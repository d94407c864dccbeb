import type { Cart } from '../cart/cart.ts'
import { isDigital } from '../catalogue/catalogue.ts'

/** How an order in a batch is delivered (section 9). */
export const batchShippingLabel = 'Studio Shipping'

/** The only shipping option for military addresses (section 9). */
export const priorityShippingCode = 'priority'

type CityAndState = { city: string; state: string }

const militaryStates = ['AA', 'AE', 'AP']
const militaryCity = /^(?:APO|FPO|DPO)\b/i

/** Whether a city is a military or diplomatic post office: APO, FPO or DPO. */
export const isMilitaryCity = (city: string): boolean => militaryCity.test(city.trim())

/** Whether an address is a military or diplomatic one: city APO, FPO or DPO, or state AA, AE or AP (section 9). */
export const isMilitary = ({ city, state }: CityAndState): boolean =>
  militaryStates.includes(state.trim().toUpperCase()) || isMilitaryCity(city)

/** The shipping options for an address: all of them, but only `priority` for a military one (section 9). */
export const offeredShipping = <Option extends { code: string }>(
  options: readonly Option[],
  address: CityAndState,
): Option[] => options.filter((option) => !isMilitary(address) || option.code === priorityShippingCode)

/** Whether a cart contains anything printed, which has to be shipped. */
export const hasPrints = ({ cartPackages }: Pick<Cart, 'cartPackages'>): boolean =>
  cartPackages.some((line) => line.cartPackageItems.some((item) => !isDigital(item.productCode)))
