import styles from './spinner.module.css'

/** The turning ring, one em wide. Says nothing to screen readers: whoever shows it says what is loading. */
export const Spinner = () => <span className={styles.ring} aria-hidden="true" data-spinner="" />
