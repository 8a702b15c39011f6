/** Moved: see `document/`. */
export { type Paint, painter } from '../document/write-terminal.ts';
