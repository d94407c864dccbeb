import styles from './package-name.module.css'

/** A package name ("Package C · Grandparents"): wraps at its dot, which is then hidden. */
export const PackageName = ({ children }: { children: string }) => (
  <span className={styles.name}>
    {children.split(' · ').map((part, index, parts) => (
      <span key={parts.slice(0, index).join()} className={styles.part}>
        {index > 0 && <span className={styles.dot}> · </span>}
        {part}
      </span>
    ))}
  </span>
)
