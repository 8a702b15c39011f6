/** Made by the plug-in of `make-program.mjs`: the files of the package, by their path in it. */
declare module 'virtual:files' {
  export const FILES: Readonly<Record<string, string>>;
}
