/**
 * What programs need of the system, where it exists. `/etc` is seen without what other users may not read of it. Never a folder with
 * the socket of a daemon in it: what can only be read can still be connected to.
 */
export const SYSTEM: readonly string[] = [
  ...["/usr", "/opt", "/etc", "/nix/store", "/gnu/store", "/snap"],
  ...["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"],
  ...["/run/current-system", "/run/opengl-driver", "/var/lib/ca-certificates", "/home/linuxbrew/.linuxbrew"],
];

/** Names are looked up through these when there is a network. */
export const NETWORK: readonly string[] = [
  ...["/run/systemd/resolve/stub-resolv.conf", "/run/systemd/resolve/resolv.conf", "/run/resolvconf/resolv.conf"],
  ...["/run/NetworkManager/resolv.conf", "/mnt/wsl/resolv.conf"],
];

/**
 * Toolchains and caches in the home folder: the parts that hold programs and downloads, never the folder around them, which may hold
 * a key (`~/.cargo/credentials.toml`, `~/.m2/settings.xml`). Caches whose tools fail where they cannot write are left out: they find
 * none, and make one in the empty home folder.
 */
export const IN_HOME: readonly string[] = [
  ...[".nvm", ".fnm", ".n", ".volta/bin", ".volta/tools", ".bun/bin", ".deno/bin"],
  ...[".cache/node", ".cache/yarn", ".yarn/berry/cache", ".local/share/pnpm/nodejs"],
  ...[".cache/ms-playwright", ".cache/Cypress", ".cache/puppeteer"],
  ...[".pyenv", ".cache/pip", ".local/share/uv", ".cache/pypoetry", ".local/share/virtualenvs"],
  ...[".local/lib", ".local/bin", "miniconda3", "anaconda3", "miniforge3"],
  ...[".cargo/bin", ".cargo/registry", ".cargo/git", ".cargo/env", ".rustup", "go/bin", "go/pkg/mod", "sdk"],
  ...[".rbenv", ".rvm", ".gem/ruby", ".local/share/gem", ".bundle/cache"],
  ...[".sdkman/candidates", ".m2/repository", ".m2/wrapper", ".gradle/wrapper", ".jbang/cache"],
  ...[".konan"],
  ...[".dotnet", ".nuget/packages", ".pub-cache/hosted", ".composer/vendor", ".cache/composer"],
  ...[".ghcup", ".cabal/bin", ".cabal/packages", ".cabal/store", ".stack/programs", ".opam", ".elan", ".juliaup"],
  ...[".julia/packages", ".julia/artifacts", ".mix/archives", ".hex/packages", ".zvm"],
  ...[".asdf/installs", ".asdf/shims", ".local/share/mise", ".local/share/fnm", ".proto/bin", ".proto/tools"],
  ...[".pkgx", ".nix-profile", ".local/state/nix/profile", ".cache/fontconfig"],
];

/** Variables that name a file or folder with certificates, and those that name where a toolchain or cache is. */
export const NAMED_BY: readonly string[] = [
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO"],
  ...["PIP_CERT", "NIX_SSL_CERT_FILE", "AWS_CA_BUNDLE"],
  ...[
    "NVM_DIR",
    "PYENV_ROOT",
    "RUSTUP_HOME",
    "GOROOT",
    "GOMODCACHE",
    "JAVA_HOME",
    "GRADLE_HOME",
    "MAVEN_HOME",
    "M2_HOME",
  ],
  ...[
    "RBENV_ROOT",
    "CONDA_PREFIX",
    "VIRTUAL_ENV",
    "DOTNET_ROOT",
    "FLUTTER_ROOT",
    "PNPM_HOME",
    "PLAYWRIGHT_BROWSERS_PATH",
  ],
  ...["ANDROID_HOME", "ANDROID_SDK_ROOT"],
];
