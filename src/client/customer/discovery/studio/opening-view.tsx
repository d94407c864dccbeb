import { Spinner } from '#ui/feedback/loader.tsx'
import styles from './studio-screen.module.css'

type OpeningViewProps = {
  /** Null while the studio is not loaded. */
  studioName: string | null
  /** What is opened: "Ada’s photos". */
  opening: string
}

/** What a customer sees while an access code is opened. Prerendered too, so it needs nothing that the page's address does not name. */
export const OpeningView = ({ studioName, opening }: OpeningViewProps) => (
  <div className={styles.page}>
    <header className={styles.head}>
      <p className={styles.name}>{studioName}</p>
    </header>
    <main className={styles.main}>
      <div className={styles.intro}>
        <h1>Opening {opening}…</h1>
        <Spinner />
      </div>
    </main>
  </div>
)
