import type { CartSubject } from '#domain/cart/cart.ts'
import type { Cents } from '#domain/pricing/money.ts'
import { Price } from '#ui/price.tsx'
import styles from './subject-heading.module.css'

type SubjectHeadingProps = { id: string; subject: CartSubject; cents: Cents }

/** The heading of a subject's packages and services, with their total. */
export const SubjectHeading = ({ id, subject, cents }: SubjectHeadingProps) => (
  <header className={styles.head}>
    {subject.imageThumbnailUrl && <img src={subject.imageThumbnailUrl} alt="" className={styles.thumbnail} />}
    <h2 id={id} className={styles.name}>
      {subject.firstName} {subject.lastName}
    </h2>
    <Price cents={cents} className={styles.total} />
  </header>
)
