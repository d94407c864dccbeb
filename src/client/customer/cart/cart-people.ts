import type { CartSubject } from '../../../domain/cart.ts'
import { type Cents, sumCents } from '../../../domain/money.ts'
import type { CartView, LineView } from '../../../local/cart-view.ts'

/** The lines of one person. */
export type PersonLines = { subject: CartSubject; lines: LineView[]; cents: Cents }

/** The cart person by person, in the order in which they came into it. */
export const peopleOf = ({ cart, lines }: Pick<CartView, 'cart' | 'lines'>): PersonLines[] =>
  cart.subjects.map((subject) => {
    const own = lines.filter(({ line }) =>
      subject.personId === null ? line.subjectId === subject.subjectId : line.personId === subject.personId,
    )
    return { subject, lines: own, cents: sumCents(own.map((line) => line.totalCents)) }
  })
