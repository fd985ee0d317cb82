# Evaluates a flake with a nixpkgs that only says what it was asked for: the argument `path` names the flake.
{ path }:
let
  system = {
    lib.licenses.mit = "MIT";
    fetchurl = asked: asked;
    stdenvNoCC.mkDerivation = asked: asked;
  };
  flake = import path;
in builtins.mapAttrs (_: found: found.default) (flake.outputs {
  self = { };
  nixpkgs.legacyPackages = builtins.listToAttrs (map (name: { inherit name; value = system; }) [
    "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin"
  ]);
}).packages
