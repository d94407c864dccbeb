import ChevronRight from 'lucide-react/icons/chevron-right'
import { useEffect, useId, useRef } from 'react'
import { Link } from 'wouter'
import { foundLimit } from '#contract/customer/find-event.ts'
import { Icon } from '#ui/icon.tsx'
import type { FoundChoice } from './find-by-text.ts'
import styles from './home-extras.module.css'

/** What a text may mean, to choose from. Its heading gets the focus, so that it is announced and in view. */
export const FoundChoices = ({ choices }: { choices: readonly FoundChoice[] }) => {
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies(choices): each result is announced
  useEffect(() => heading.current?.focus(), [choices])
  return (
    <section className={styles.choices} aria-labelledby={headingId}>
      <h3 id={headingId} tabIndex={-1} ref={heading}>
        {choices.length} matches. Which one is yours?
      </h3>
      <ul>
        {choices.map(({ url, title, detail }) => (
          <li key={url}>
            <Link href={url} className={styles.choice}>
              <span className={styles.title}>{title}</span>
              {detail && <span className={styles.detail}>{detail}</span>}
              <Icon of={ChevronRight} />
            </Link>
          </li>
        ))}
      </ul>
      {choices.length >= foundLimit && <p>Yours is not here? Type your studio’s full name.</p>}
    </section>
  )
}
