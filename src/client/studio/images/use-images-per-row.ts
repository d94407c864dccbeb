/** How many pictures stand beside each other where there is room. */
export const useImagesPerRow = (): number => 6
