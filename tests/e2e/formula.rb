# Reads a formula as Homebrew does, for the system and processor in ARGV, and installs from the unpacked archive in the
# working folder into the folder PREFIX. Prints the formula's url, sha256 and the command of its test.
require "fileutils"
require "pathname"

PREFIX, SYSTEM, PROCESSOR, FILE = ARGV

class Place < Pathname
  def install(paths)
    mkpath
    Array(paths).each { |path| FileUtils.cp_r(path, self) }
  end

  def /(other) = Place.new(super.to_s)
end

class Formula
  PLACES = {
    bin: "bin", man1: "share/man/man1", bash_completion: "etc/bash_completion.d",
    fish_completion: "share/fish/vendor_completions.d", zsh_completion: "share/zsh/site-functions",
    pkgshare: "share/mockddb",
  }
  PLACES.each { |name, path| define_method(name) { Place.new(PREFIX) / path } }

  def assert_match(expected, found) = (puts found; expected == found)
  def shell_output(command) = command

  class << self
    attr_reader :said, :checks

    def on(wanted, given) = wanted == given && yield
    def on_macos(&block) = on("darwin", SYSTEM, &block)
    def on_linux(&block) = on("linux", SYSTEM, &block)
    def on_arm(&block) = on("arm64", PROCESSOR, &block)
    def on_intel(&block) = on("x64", PROCESSOR, &block)
    def service = nil
    def test(&block) = @checks = block
    %i[desc homepage version license url sha256].each do |name|
      define_method(name) { |value| (@said ||= {})[name] = value }
    end
  end
end

load FILE
puts Mockddb.said.values_at(:version, :url, :sha256)
formula = Mockddb.new
formula.install
formula.instance_eval(&Mockddb.checks)
