import Plus from 'lucide-react/icons/plus'
import type { CartSubject } from '../../../domain/cart.ts'
import type { Package } from '../../../domain/catalogue.ts'
import type { Cents } from '../../../domain/money.ts'
import type { LineView } from '../../../local/cart-view.ts'
import type { CartKey } from '../../../local/database.ts'
import { type CustomerRoute, urls } from '../../shell/urls.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Price } from '../../ui/price.tsx'
import styles from './cart.module.css'
import { CartLine } from './cart-line.tsx'

type CartPersonProps = {
  place: CustomerRoute
  cartKey: CartKey
  subject: CartSubject
  lines: readonly LineView[]
  cents: Cents
  offered: readonly Package[] | undefined
}

/** One person's packages, and the way to more. */
export const CartPerson = ({ place, cartKey, subject, lines, cents, offered }: CartPersonProps) => {
  const id = `person-${subject.personId ?? subject.subjectId}`
  return (
    <section aria-labelledby={id} className={styles.person}>
      <header className={styles.personHead}>
        {subject.imageThumbnailUrl && <img src={subject.imageThumbnailUrl} alt="" className={styles.face} />}
        <h2 id={id} className={styles.personName}>
          {subject.firstName} {subject.lastName}
        </h2>
        <Price cents={cents} className={styles.personTotal} />
      </header>
      <ul className={styles.lines}>
        {lines.map((line) => (
          <li key={line.line.lineId}>
            <CartLine {...{ place, cartKey, offered }} view={line} />
          </li>
        ))}
      </ul>
      {subject.subjectId !== null && (
        <ButtonLink
          href={urls.selectPackage({ ...place, subjectId: subject.subjectId })}
          variant="quiet"
          size="sm"
          icon={Plus}
          className={styles.more}
        >
          Add another package for {subject.firstName}
        </ButtonLink>
      )}
    </section>
  )
}
