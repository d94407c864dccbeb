import styles from './spinner.module.css'

/** A rotating ring, one em wide. Hidden from screen readers: its container announces what is loading. */
export const Spinner = () => <span className={styles.ring} aria-hidden="true" data-spinner="" />
